// The signs that mechanisms are drawn with, in pixels: u is their size. In plane and in space alike.
(function (B) {
  "use strict";
  const S = (B.signs = {});

  S.line = function (c, points, colour, width, dash) {
    if (points.length < 2) return;
    c.beginPath();
    c.moveTo(points[0][0], points[0][1]);
    for (let k = 1; k < points.length; k++) c.lineTo(points[k][0], points[k][1]);
    c.strokeStyle = colour; c.lineWidth = width; c.setLineDash(dash || []);
    c.lineJoin = "round";
    c.stroke();
    c.setLineDash([]);
  };

  S.polygon = function (c, points, fill, edge, width) {
    c.beginPath();
    points.forEach((p, k) => (k ? c.lineTo(p[0], p[1]) : c.moveTo(p[0], p[1])));
    c.closePath();
    if (fill) { c.fillStyle = fill; c.fill(); }
    if (edge) { c.strokeStyle = edge; c.lineWidth = width; c.lineJoin = "round"; c.stroke(); }
  };

  S.circle = function (c, x, y, r, fill, edge, width) {
    c.beginPath();
    c.arc(x, y, Math.max(r, 0), 0, 2 * Math.PI);
    if (fill) { c.fillStyle = fill; c.fill(); }
    if (edge) { c.strokeStyle = edge; c.lineWidth = width; c.stroke(); }
  };

  // A link with round ends, light inside.
  S.bar = function (c, a, b, colour, theme, u, width) {
    const w = width || 0.86 * u, edge = Math.max(0.13 * u, 1);
    c.lineCap = "round";
    S.line(c, [a, b], colour, w);
    if (w > 3.2 * edge) S.line(c, [a, b], theme.mix(colour, 0.7), w - 2 * edge);
    c.lineCap = "butt";
  };

  S.rod = function (c, points, colour, u) {
    c.lineCap = "round";
    S.line(c, points, colour, Math.max(0.24 * u, 1.6));
    c.lineCap = "butt";
  };

  // A body as a polygon with pins at its corners.
  S.plate = function (c, points, colour, theme, u) {
    const w = 0.86 * u, edge = Math.max(0.13 * u, 1), light = theme.mix(colour, 0.7);
    S.polygon(c, points, light, colour, w);
    S.polygon(c, points, light, light, w - 2 * edge);
  };

  S.mass = (c, x, y, colour, theme, u) => S.circle(c, x, y, 0.72 * u, colour, theme.ink, Math.max(0.08 * u, 0.8));

  S.center = function (c, x, y, colour, u) { // the sign of a centre of mass: a circle in quarters
    const r = Math.max(0.3 * u, 2.5);
    if (u < 4) return S.circle(c, x, y, 0.6 * r, colour); // too small for quarters
    for (let k = 0; k < 4; k++) {
      c.beginPath();
      c.moveTo(x, y);
      c.arc(x, y, r, k * Math.PI / 2, (k + 1) * Math.PI / 2);
      c.fillStyle = k % 2 ? colour : "#fff";
      c.fill();
    }
    S.circle(c, x, y, r, null, colour, 1);
  };

  S.pin = (c, x, y, theme, u) => S.circle(c, x, y, Math.max(0.33 * u, 1.8), theme.paper, theme.ink, Math.max(0.12 * u, 1));
  S.point = (c, x, y, theme, u) => S.circle(c, x, y, Math.max(0.2 * u, 1.5), theme.paper, theme.ink, Math.max(0.1 * u, 1));

  // A line of the ground, strokes on its right-hand side.
  S.hatched = function (c, a, b, u, colour) {
    const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy);
    if (length < 1) return;
    const e = [dx / length, dy / length], n = [-e[1], e[0]];
    const count = Math.min(Math.max(Math.round(length / (0.42 * u)), 4), 80);
    S.line(c, [a, b], colour, Math.max(0.12 * u, 1));
    c.beginPath();
    for (let k = 0; k < count; k++) {
      const s = (k + 0.7) / count, x = a[0] + s * dx, y = a[1] + s * dy;
      c.moveTo(x, y);
      c.lineTo(x + 0.42 * u * (n[0] - e[0]), y + 0.42 * u * (n[1] - e[1]));
    }
    c.lineWidth = Math.max(0.075 * u, 0.8); c.strokeStyle = colour;
    c.stroke();
  };

  // A pin held by the ground: a triangle on hatching.
  S.ground = function (c, x, y, theme, u) {
    const w = 0.9 * u, h = 1.45 * u;
    S.polygon(c, [[x, y], [x - w, y + h], [x + w, y + h]], theme.case, theme.ink, Math.max(0.1 * u, 1));
    if (u < 4) S.line(c, [[x - 1.5 * w, y + h], [x + 1.5 * w, y + h]], theme.ink, 1.2);
    else S.hatched(c, [x - 1.5 * w, y + h], [x + 1.5 * w, y + h], u, theme.ink);
    S.pin(c, x, y, theme, u);
  };

  // e: unit vector along the guide, on the screen.
  S.guide = function (c, x, y, e, reach, u, theme, away) {
    let n = [-e[1], e[0]];
    let ends = reach.map((s) => [x + s * e[0], y + s * e[1]]);
    if (n[1] < -1e-9 || (Math.abs(n[1]) <= 1e-9 && n[0] > 0)) { n = [-n[0], -n[1]]; ends = ends.reverse(); }
    S.hatched(c, ...ends.map((p) => [p[0] + away * u * n[0], p[1] + away * u * n[1]]), u, theme.ink);
  };

  // A straight limit at a place: n on the screen points to the forbidden side, reach in pixels along it.
  S.wall = function (c, p, n, reach, u, ink) {
    const e = [n[1], -n[0]]; // strokes are on the right-hand side of the line, down the screen
    S.hatched(c, ...reach.map((s) => [p[0] + s * e[0], p[1] + s * e[1]]), u, ink);
  };

  // A limit of an angle: e along the arm that would strike, side +1 if what is forbidden lies anticlockwise of it.
  S.stop = function (c, p, e, radius, side, u, theme, colour) {
    const n = [side * e[1], -side * e[0]]; // anticlockwise, seen on a screen
    const foot = [p[0] + radius * e[0] + 0.5 * u * n[0], p[1] + radius * e[1] + 0.5 * u * n[1]];
    if (!colour) return S.wall(c, foot, n, [-1.3 * u, 1.3 * u], u, theme.ink);
    S.line(c, [p, [foot[0] + 0.4 * u * n[0], foot[1] + 0.4 * u * n[1]]], colour, 1, [3, 2]);
    const at = (a, b) => [foot[0] + 0.8 * u * (a * e[0] + b * n[0]), foot[1] + 0.8 * u * (a * e[1] + b * n[1])];
    S.polygon(c, [at(-1, 0), at(1, 0), at(1, 1), at(-1, 1)], theme.mix(colour, 0.7), colour, Math.max(0.12 * u, 1));
  };

  // A limit of a distance: an arc about a, strokes where b may not be.
  S.reach = function (c, a, b, radius, side, u, ink) {
    const middle = Math.atan2(b[1] - a[1], b[0] - a[0]), half = Math.min(2.4 * u / Math.max(radius, 1e-9), 0.9);
    c.beginPath();
    c.arc(a[0], a[1], Math.max(radius, 0), middle - half, middle + half);
    for (let k = 0; k < 7; k++) {
      const q = middle + half * (k - 2.7) / 3, e = [Math.cos(q), Math.sin(q)], x = a[0] + radius * e[0], y = a[1] + radius * e[1];
      c.moveTo(x, y);
      c.lineTo(x + 0.42 * u * (side * e[0] - e[1]), y + 0.42 * u * (side * e[1] + e[0]));
    }
    c.strokeStyle = ink; c.lineWidth = Math.max(0.1 * u, 1);
    c.stroke();
  };

  // Two plates on a shaft, pressed together while a lock is closed.
  S.clutch = function (c, a, b, rims, u, theme, closed) {
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]), gap = (closed ? 0.14 : 0.55) * u;
    if (length < u) return S.brake(c, a[0], a[1], u, theme, closed);
    const e = [(b[0] - a[0]) / length, (b[1] - a[1]) / length], n = [-e[1], e[0]];
    const from = rims[0] + rims[1] < length ? [rims[0], length - rims[1]] : [0, length], middle = (from[0] + from[1]) / 2;
    from.forEach((s, k) => {
      const plate = middle + (k ? gap : -gap), at = (w, v) => [a[0] + w * e[0] + v * n[0], a[1] + w * e[1] + v * n[1]];
      S.line(c, [at(s, 0), at(plate, 0)], theme.ink, Math.max(0.11 * u, 1), [5, 2]);
      S.line(c, [at(plate, -1.1 * u), at(plate, 1.1 * u)], theme.ink, Math.max(0.24 * u, 2));
    });
  };

  // A shoe over a pin, filled and pressed on it while a lock is closed.
  S.brake = function (c, x, y, u, theme, closed) {
    const low = y - (closed ? 0.42 : 0.95) * u;
    S.polygon(c, [[x - 0.75 * u, low], [x + 0.75 * u, low], [x + 0.55 * u, low - 0.7 * u], [x - 0.55 * u, low - 0.7 * u]],
      closed ? theme.ink : theme.paper, theme.ink, Math.max(0.1 * u, 1));
  };

  // The sign of a joint of the plane (biela.views.scene.signs): points along e, the direction of the joint, and across it.
  S.parts = function (c, p, e, parts, u, theme, colour) {
    const at = ([a, b]) => [p[0] + u * (a * e[0] + b * e[1]), p[1] + u * (a * e[1] - b * e[0])]; // upwards is up the screen
    for (const { part, points } of parts) {
      if (part === "line") S.line(c, points.map(at), theme.grey, 1.2, [7, 3, 1.5, 3]);
      else S.polygon(c, points.map(at), colour ? theme.mix(colour, 0.4) : theme.case, theme.ink, Math.max(0.1 * u, 1));
    }
  };

  // Springs and dampers between two places, beside each other, each as strokes of points: along, in pieces, aside.
  S.springs = function (c, a, b, s, u, theme, walls) {
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    [a, b].forEach((p, k) => {
      if (!walls || !walls[k]) return;
      const o = k ? a : b, away = [(p[0] - o[0]) / (length || 1), (p[1] - o[1]) / (length || 1)];
      S.wall(c, p, away, [-1.6 * u, 1.6 * u], u, theme.ink);
    });
    if (length < 1) return;
    const e = [(b[0] - a[0]) / length, (b[1] - a[1]) / length], n = [-e[1], e[0]], width = Math.max(0.11 * u, 1);
    const last = s.elements.length - 1;
    s.elements.forEach((element, k) => {
      const side = s.apart * (k - last / 2), piece = Math.min(element.most * u, element.share * length);
      const at = ([along, pieces, w]) => [0, 1].map((i) => a[i] + (along * length + pieces * piece) * e[i] + (w + side) * u * n[i]);
      for (const stroke of element.strokes) S.line(c, stroke.map(at), theme.ink, width);
    });
    if (last > 0) {
      const reach = s.apart * last / 2 * u;
      for (const p of [a, b]) S.line(c, [-reach, reach].map((w) => [p[0] + w * n[0], p[1] + w * n[1]]), theme.ink, width);
    }
  };

  S.arrow = function (c, a, b, colour, width) {
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (!(length > 2)) return;
    const e = [(b[0] - a[0]) / length, (b[1] - a[1]) / length], head = Math.min(4.6 * width, 0.6 * length);
    const neck = [b[0] - 0.9 * head * e[0], b[1] - 0.9 * head * e[1]], w = 0.4 * head;
    S.line(c, [a, neck], colour, width);
    S.polygon(c, [b, [b[0] - head * e[0] - w * e[1], b[1] - head * e[1] + w * e[0]],
      [b[0] - head * e[0] + w * e[1], b[1] - head * e[1] - w * e[0]]], colour);
  };

  // An arrow round a pin: something drives it.
  S.turning = function (c, x, y, u, colour) {
    const r = 1.35 * u, from = -0.35 * Math.PI, to = -1.2 * Math.PI;
    c.beginPath();
    c.arc(x, y, r, from, to, true);
    c.strokeStyle = colour; c.lineWidth = Math.max(0.15 * u, 1.3);
    c.stroke();
    const end = [x + r * Math.cos(to), y + r * Math.sin(to)], e = [Math.sin(to), -Math.cos(to)];
    const tip = [end[0] + 0.75 * u * e[0], end[1] + 0.75 * u * e[1]], n = [-e[1], e[0]];
    S.polygon(c, [tip, [end[0] + 0.36 * u * n[0], end[1] + 0.36 * u * n[1]],
      [end[0] - 0.36 * u * n[0], end[1] - 0.36 * u * n[1]]], colour);
  };

  S.text = function (c, text, x, y, colour, theme, align, size, weight) {
    c.font = (weight || "600") + " " + (size || 12.5) + "px " + theme.font;
    c.textAlign = align || "left"; c.textBaseline = "middle"; c.lineJoin = "round";
    c.strokeStyle = theme.paper; c.lineWidth = 3.5; c.globalAlpha *= 0.85;
    c.strokeText(text, x, y);
    c.globalAlpha /= 0.85;
    c.fillStyle = colour;
    c.fillText(text, x, y);
  };
})(globalThis.BielaPlayer);
