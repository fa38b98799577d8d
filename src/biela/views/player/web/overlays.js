// What is drawn over and beside a mechanism: paths, arrows with their key, names, the axes in a corner.
(function (B) {
  "use strict";
  const S = B.signs, HEAD = 2.2;

  // Paths: all of it light, what has been travelled strong. They stay on the screen until the view changes.
  B.Traces = class {
    constructor() { this.kept = new Map(); }

    draw(c, camera, motion, places, colour, theme, view) {
      for (const place of places) {
        const flat = this.flat(camera, motion, place, view), d = flat.points;
        if (!d.length) continue;
        c.lineJoin = c.lineCap = "round";
        c.strokeStyle = theme.mix(colour, 0.62); c.lineWidth = 1.4;
        c.stroke(flat.line);
        c.beginPath();
        c.moveTo(d[0], d[1]);
        for (let k = 1; k < flat.index.length && flat.index[k] <= motion.low; k++) c.lineTo(d[2 * k], d[2 * k + 1]);
        const now = camera.project(motion.at(place));
        c.lineTo(now.x, now.y);
        c.strokeStyle = colour; c.lineWidth = 2;
        c.stroke();
        c.lineCap = "butt";
      }
    }

    flat(camera, motion, place, view) {
      const key = place.join(), known = this.kept.get(motion) || new Map();
      this.kept.set(motion, known);
      const old = known.get(key);
      if (old && old.view === view) return old;
      const path = motion.path(place), dim = motion.dimension, p = [0, 0, 0], points = [], index = [];
      const line = new Path2D();
      for (let k = 0; k < motion.count; k++) {
        for (let i = 0; i < dim; i++) p[i] = path[k * dim + i];
        const { x, y } = camera.project(p), n = points.length;
        if (n && k < motion.count - 1 && Math.abs(x - points[n - 2]) < 0.7 && Math.abs(y - points[n - 1]) < 0.7) continue;
        if (n) line.lineTo(x, y); else line.moveTo(x, y);
        points.push(x, y);
        index.push(k);
      }
      const found = { view, points, index, line };
      known.set(key, found);
      return found;
    }

    clear() { this.kept.clear(); }
  };

  B.drawArrows = function (c, camera, motion, kinds, scales, theme) {
    for (const arrows of motion.result.vectors) {
      if (!kinds.has(arrows.kind)) continue;
      const scale = scales[arrows.kind] || 0;
      motion.each(arrows, (at, v) => {
        const a = camera.project(at), start = [a.x, a.y];
        const b = camera.project(at.map((x, k) => x + scale * v[k]));
        S.arrow(c, start, [b.x, b.y], theme[arrows.kind], HEAD);
      });
    }
  };

  // An arrow of a round value for each kind that is shown.
  B.drawKey = function (c, camera, data, kinds, theme) {
    let y = 20;
    const units = {};
    for (const r of data.results) for (const a of r.vectors) units[a.kind] = a.unit;
    for (const kind of Object.keys(data.scales)) {
      if (!kinds.has(kind) || !units[kind]) continue;
      const value = B.round(90 / (camera.scale * data.scales[kind])), length = value * camera.scale * data.scales[kind];
      S.arrow(c, [14, y], [14 + length, y], theme[kind], HEAD);
      S.text(c, kind + ": " + B.say(value) + " " + units[kind], 22 + length, y, theme[kind], theme, "left", 12, "600");
      y += 19;
    }
  };

  B.drawNames = function (c, camera, motion, u, theme) {
    motion.sides = motion.sides || new Map();
    const crowd = motion.result.points.length > 40;
    if (crowd && u < 9) return;
    for (const point of motion.result.points) {
      if (!motion.sides.has(point.name)) motion.sides.set(point.name, side(camera, motion, point.at));
      const p = camera.project(motion.at(point.at)), way = motion.sides.get(point.name);
      S.text(c, point.name, p.x + way * (0.6 * u + 4), p.y - 0.6 * u - 5, theme.ink, theme, way > 0 ? "left" : "right");
    }
  };

  // On which side a point is most of the time: its name does not jump from side to side.
  function side(camera, motion, place) {
    const path = motion.path(place), d = motion.dimension, step = Math.max(1, Math.floor(motion.count / 40));
    let sum = 0;
    for (let k = 0; k < motion.count; k += step) {
      sum += camera.project(Array.from(path.subarray(k * d, k * d + d))).x - camera.width / 2;
    }
    return sum >= -1e-6 ? 1 : -1;
  }

  // The ground's axes, and the way that weight pulls.
  B.drawTriad = function (c, camera, data, theme) {
    const d = data.dimension, o = d === 2 ? [26, camera.height - 22] : [44, camera.height - 44], reach = 26;
    const flat = (v) => (d === 2 ? [v[0], -v[1], 0]
      : [B.vec.dot(v, camera.right), -B.vec.dot(v, camera.up), B.vec.dot(v, camera.towards)]);
    const axes = ["x", "y", "z"].slice(0, d).map((name, k) => [name, flat([0, 1, 2].map((i) => +(i === k)))]);
    axes.sort((a, b) => a[1][2] - b[1][2]);
    for (const [name, e] of axes) {
      const end = [o[0] + reach * e[0], o[1] + reach * e[1]];
      S.arrow(c, o, end, theme.grey, 1.3);
      const n = Math.hypot(e[0], e[1]), k = n > 0.2 ? (reach + 9 / n) : reach + 9;
      S.text(c, name, o[0] + (n > 0.2 ? k * e[0] : 7), o[1] + (n > 0.2 ? k * e[1] : 7), theme.grey, theme, "center", 11.5, "500");
    }
    const g = data.gravity, size = Math.hypot(...g);
    if (!size) return;
    const pull = flat(g.map((x) => x / size)).map((x) => 20 * x), from = d === 2 ? [o[0] + 46, o[1] - 20] : [o[0] + 44, o[1] - 14];
    S.arrow(c, from, [from[0] + pull[0], from[1] + pull[1]], theme.grey, 1.3);
    S.text(c, "g", from[0] + pull[0] / 2 + 9, from[1] + pull[1] / 2, theme.grey, theme, "center", 11.5, "500");
  };

  // A horizontal sheet of lines under a mechanism in space.
  B.drawFloor = function (c, camera, data, theme) {
    const [low, high] = data.box, [f, g, h] = camera.axes, size = camera.size;
    const range = (e) => { const v = camera.corners.map((p) => B.vec.dot(p, e)); return [Math.min(...v), Math.max(...v)]; };
    const step = B.round(size / 4), fx = range(f), gx = range(g), level = range(h)[0] - 0.04 * size;
    const stretch = ([a, b]) => [Math.floor(a / step - 0.5) * step, Math.ceil(b / step + 0.5) * step];
    const [x0, x1] = stretch(fx), [y0, y1] = stretch(gx);
    const at = (x, y) => [0, 1, 2].map((k) => x * f[k] + y * g[k] + level * h[k]);
    c.beginPath();
    const draw = (a, b) => {
      const p = camera.project(a), start = [p.x, p.y], q = camera.project(b);
      c.moveTo(...start); c.lineTo(q.x, q.y);
    };
    for (let x = x0; x <= x1 + 0.5 * step; x += step) draw(at(x, y0), at(x, y1));
    for (let y = y0; y <= y1 + 0.5 * step; y += step) draw(at(x0, y), at(x1, y));
    c.strokeStyle = theme.grid; c.lineWidth = 1;
    c.stroke();
  };
})(globalThis.BielaPlayer);
