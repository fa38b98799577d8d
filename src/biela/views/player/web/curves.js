// Curves of channels: their numbers, their axes, and a line with no more points than the screen has columns.
(function (B) {
  "use strict";

  // A channel of a result: {t, y}, or null; decoded when first asked for.
  B.curve = function (result, name) {
    const item = name === "t" ? null : result.channels.items.find((c) => c.name === name);
    if (!item && name !== "t") return null;
    const all = (result.decoded = result.decoded || new Map());
    if (!all.has("")) all.set("", B.numbers(result.channels.t));
    if (name === "t") return { t: all.get(""), y: all.get(""), unit: "s", offset: 0 };
    if (!all.has(name)) {
      const t = item.t ? B.numbers(item.t) : all.get("");
      all.set(name, { t, y: B.numbers(item.y), unit: item.unit, offset: item.offset || 0 });
    }
    return all.get(name);
  };

  // The value at a time, between samples.
  B.valueAt = function (curve, time) {
    const { t, y, offset } = curve, n = y.length;
    if (!n) return NaN;
    const k = Math.min(B.before(t, time), Math.max(n - 2, 0)), step = n > 1 ? t[k + 1] - t[k] : 0;
    const s = step > 0 ? Math.min(Math.max((time - t[k]) / step, 0), 1) : 0;
    return offset + y[k] + (n > 1 ? s * (y[k + 1] - y[k]) : 0);
  };

  // The lowest and the highest of some curves, with some room; never nothing.
  B.range = function (curves, offset) {
    let low = Infinity, high = -Infinity;
    for (const { y, offset: own } of curves) {
      const shift = own - offset;
      for (let k = 0; k < y.length; k++) {
        const v = y[k] + shift;
        if (v < low) low = v;
        if (v > high && v !== Infinity) high = v;
      }
    }
    if (!(low <= high) || !isFinite(low)) return [-1, 1];
    const size = Math.max(Math.abs(low), Math.abs(high)), width = high - low;
    if (width <= 1e-12 * Math.max(size, Math.abs(offset))) {
      const room = 0.5 * (size || Math.abs(offset) * 1e-6 || 1);
      return [low - room, high + room];
    }
    return [low - 0.06 * width, high + 0.06 * width];
  };

  // Round values between two numbers, about so many.
  B.ticks = function (low, high, count) {
    let step = B.round((high - low) / count);
    while ((high - low) / step > 1.6 * count) step *= 2;
    const out = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) out.push(k * step);
    return { values: out, step };
  };

  B.tick = function (x, step, offset) {
    const value = x + offset, size = Math.max(Math.abs(value), Math.abs(step));
    if (Math.abs(value) < 1e-9 * step) return "0";
    const digits = Math.max(1, Math.ceil(Math.log10(size / step) - 1e-9) + 1);
    return B.say(Number(value.toPrecision(Math.min(digits, 15))), Math.min(Math.max(digits, 1), 15));
  };

  // A curve against time; where there are more samples than columns, each column gets its lowest and highest.
  B.stroke = function (c, curve, offset, x, y, columns) {
    const { t, y: values } = curve, shift = curve.offset - offset, n = values.length;
    c.beginPath();
    let pen = false;
    const to = (px, v) => {
      if (!isFinite(v)) { pen = false; return; }
      if (pen) c.lineTo(px, y(v)); else c.moveTo(px, y(v));
      pen = true;
    };
    if (n <= 2.5 * columns) {
      for (let k = 0; k < n; k++) to(x(t[k]), values[k] + shift);
    } else {
      for (let k = 0; k < n;) {
        const column = Math.floor(x(t[k]));
        let low = values[k], high = low, lowFirst = true;
        const first = low;
        for (k++; k < n && Math.floor(x(t[k])) === column; k++) {
          const v = values[k];
          if (v < low) { low = v; lowFirst = false; }
          if (v > high) { high = v; lowFirst = true; }
        }
        to(column, first + shift);
        to(column, (lowFirst ? low : high) + shift);
        to(column, (lowFirst ? high : low) + shift);
      }
    }
    c.stroke();
  };

  // One channel against another: a phase plane.
  B.strokePlane = function (c, a, b, offsets, x, y) {
    c.beginPath();
    let pen = false;
    const own = a.t !== b.t; // curves thinned one by one have times of their own
    for (let k = 0; k < b.y.length; k++) {
      const u = (own ? B.valueAt(a, b.t[k]) : a.y[k] + a.offset) - offsets[0], v = b.y[k] + b.offset - offsets[1];
      if (!isFinite(u) || !isFinite(v)) { pen = false; continue; }
      if (pen) c.lineTo(x(u), y(v)); else c.moveTo(x(u), y(v));
      pen = true;
    }
    c.stroke();
  };
})(globalThis.BielaPlayer);
