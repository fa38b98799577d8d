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
        const here = motion.low + motion.share;
        for (let k = 1; k < flat.index.length && flat.index[k] <= here; k++) c.lineTo(d[2 * k], d[2 * k + 1]);
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
      const { points: path, where, count } = motion.path(place), dim = motion.dimension, p = [0, 0, 0], points = [], index = [];
      const line = new Path2D();
      for (let k = 0; k < count; k++) {
        for (let i = 0; i < dim; i++) p[i] = path[k * dim + i];
        const { x, y } = camera.project(p), n = points.length;
        if (n && k < count - 1 && Math.abs(x - points[n - 2]) < 0.7 && Math.abs(y - points[n - 1]) < 0.7) continue;
        if (n) line.lineTo(x, y); else line.moveTo(x, y);
        points.push(x, y);
        index.push(where[k]);
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

  // Each name on the side of its point where, over the whole motion, bodies are least: it does not jump about.
  B.drawNames = function (c, camera, motion, u, theme, view) {
    const { points } = motion.result;
    if (points.length > 40 && u < 9) return;
    if (!motion.sides || motion.sides.view !== view) motion.sides = { view, of: sides(camera, motion, u), large: large(motion) };
    points.forEach((point, k) => {
      const p = camera.project(motion.at(point.at)), way = motion.sides.of[k];
      const away = (motion.sides.large.has(point.at.join()) ? 1 : 0.55) * u + 6;
      const align = way[0] > 0.4 ? "left" : way[0] < -0.4 ? "right" : "center";
      S.text(c, point.name, p.x + way[0] * away, p.y + way[1] * (away + 4), theme.ink, theme, align);
    });
  };

  const WAYS = [[0.7, -0.7], [-0.7, -0.7], [0.7, 0.7], [-0.7, 0.7], [1, 0], [-1, 0], [0, -1], [0, 1]];

  // Places under a mass or a block, which names keep farther from.
  function large(motion) {
    const { shapes, signs } = motion.result;
    return new Set([...shapes.filter((s) => s.type === "mass").map((s) => [s.frame, ...s.at].join()),
      ...signs.filter((s) => s.type === "slider").map((s) => s.at.join())]);
  }

  // The wall of a guide, and springs, as lines on the screen.
  function strokes(camera, motion, flat, u) {
    const out = [];
    for (const s of motion.result.signs) {
      if (s.type === "springs") out.push(s.ends.map((p) => flat(motion.at(p))));
      if (s.type !== "guide") continue;
      const [a, b] = s.way.map((p) => flat(motion.at(p))), n = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      const e = [(b[0] - a[0]) / n, (b[1] - a[1]) / n], p = flat(motion.at(s.at)), k = camera.scale;
      let across = [-e[1], e[0]];
      if (across[1] < -1e-9 || (Math.abs(across[1]) <= 1e-9 && across[0] > 0)) across = across.map((x) => -x);
      out.push([s.travel[0] * k - 2.6 * u, s.travel[1] * k + 2.6 * u].map((w) => [0, 1].map((i) => p[i] + w * e[i] + (s.away || 0) * u * across[i])));
    }
    return out;
  }

  function sides(camera, motion, u) {
    const { points, shapes, signs } = motion.result;
    const links = shapes.filter((s) => s.corners && !s.faces && s.corners.length < 9);
    const grounds = new Set(signs.filter((s) => s.at && (s.type === "ground" || s.grounded)).map((s) => s.at.join()));
    const flat = (p) => { const { x, y } = camera.project(p); return [x, y]; };
    const seen = []; // at some instants: where the points are, and the corners of the links
    motion.over(10, () => seen.push([points.map((p) => flat(motion.at(p.at))),
      [...links.map((s) => s.corners.map((x) => flat(motion.local(s.frame, x, 0)))),
        ...(motion.dimension === 2 ? strokes(camera, motion, flat, u) : [])]]));
    const taken = seen.map(() => []); // names that have found their place, at each of these instants
    return points.map((point, n) => {
      const cost = WAYS.map((way, i) => 0.05 * i + (grounds.has(point.at.join()) && way[1] > 0 ? 3 : 0));
      seen.forEach(([places, found], k) => {
        const o = places[n];
        for (const corners of found) {
          if (corners.length === 2 && apart(o, ...corners) > 40) continue;
          corners.forEach((b, i) => { if (corners.length > 2 || i) block(cost, o, corners[(i || corners.length) - 1], b); });
        }
        for (const q of taken[k]) {
          WAYS.forEach((way, i) => { if (Math.hypot(o[0] + 18 * way[0] - q[0], o[1] + 18 * way[1] - q[1]) < 22) cost[i] += 0.6; });
        }
      });
      const best = WAYS[cost.indexOf(Math.min(...cost))];
      seen.forEach(([places], k) => taken[k].push([places[n][0] + 18 * best[0], places[n][1] + 18 * best[1]]));
      return best;
    });
  }

  function apart(o, a, b) {
    const dx = b[0] - a[0], dy = b[1] - a[1];
    const s = Math.min(Math.max(((o[0] - a[0]) * dx + (o[1] - a[1]) * dy) / (dx * dx + dy * dy || 1), 0), 1);
    return Math.hypot(a[0] + s * dx - o[0], a[1] + s * dy - o[1]);
  }

  // What a name beside o would cost where a link runs from a to b.
  function block(cost, o, a, b) {
    const dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy || 1;
    WAYS.forEach((way, i) => {
      const x = o[0] + 17 * way[0], y = o[1] + 17 * way[1];
      const s = Math.min(Math.max(((x - a[0]) * dx + (y - a[1]) * dy) / square, 0), 1);
      const away = Math.hypot(a[0] + s * dx - x, a[1] + s * dy - y);
      if (away < 15) cost[i] += 1 - away / 15;
    });
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
