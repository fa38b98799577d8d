// Solid things in space: each becomes one item with a depth; what is nearer is painted over what is farther.
(function (B) {
  "use strict";
  const S = B.signs, ROUND = 20;
  const V = (B.vec = {
    add: (a, b, k) => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]],
    sub: (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]],
    dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
    cross: (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
    unit: (a) => { const n = Math.hypot(...a) || 1; return a.map((x) => x / n); },
    across: (axis) => { // two unit vectors across an axis, right-handed with it
      const size = axis.map(Math.abs), least = size.indexOf(Math.min(...size));
      const u = V.unit(V.cross(axis, [0, 1, 2].map((k) => +(k === least))));
      return [u, V.cross(axis, u)];
    },
  });

  B.Painter = class {
    constructor(c, camera, theme, u) { Object.assign(this, { c, camera, theme, u, items: [] }); }

    // Pixels per metre at a place, and the size of signs there in metres.
    metres(p) { this.camera.project(p); return this.u / (this.camera.scale * (this.camera.near || 1)); }
    flat(p) { this.camera.project(p); return [this.camera.x, this.camera.y, this.camera.z]; }

    // lift brings an item nearer, in units of the signs.
    put(z, lift, draw) { this.items.push({ z: z + lift * this.lift, draw }); }

    paint() {
      this.items.sort((a, b) => a.z - b.z);
      for (const item of this.items) item.draw(this.c);
      this.items.length = 0;
    }

    begin() { this.lift = this.u / this.camera.scale; }

    line(points, lift, colour, width, dash, cap) {
      const flat = points.map((p) => this.flat(p));
      const z = flat.reduce((sum, p) => sum + p[2], 0) / flat.length;
      this.put(z, lift, (c) => { c.lineCap = cap || "butt"; S.line(c, flat, colour, width, dash); c.lineCap = "butt"; });
    }

    // In pieces, each at its own depth, with a gap in what it crosses.
    bar(a, b, colour, width, pieces) {
      const { theme, u } = this, fa = this.flat(a), fb = this.flat(b), w = width || 0.86 * u;
      const length = Math.hypot(fb[0] - fa[0], fb[1] - fa[1]), edge = Math.max(0.13 * u, 1);
      const n = pieces || Math.min(Math.max(Math.round(length / 28), 1), 14);
      const at = (s) => [fa[0] + s * (fb[0] - fa[0]), fa[1] + s * (fb[1] - fa[1]), fa[2] + s * (fb[2] - fa[2])];
      const thick = w > 3.2 * edge, light = theme.mix(colour, 0.7), near = length > 0 ? Math.min(1.2 * u / length, 0.4) : 0;
      for (const end of [fa, fb]) {
        this.put(end[2], -0.06, (c) => {
          S.circle(c, end[0], end[1], w / 2, colour);
          if (thick) S.circle(c, end[0], end[1], w / 2 - edge, light);
        });
      }
      const over = length > 0 ? 0.6 / length : 0;
      for (let k = 0; k < n; k++) {
        const p = at(Math.max(k / n - over, 0)), q = at(Math.min((k + 1) / n + over, 1)), middle = at((k + 0.5) / n);
        const z = k === 0 ? fa[2] : k === n - 1 ? fb[2] : middle[2];
        const halo = n > 1 && k / n > near && (k + 1) / n < 1 - near;
        this.put(z, 0, (c) => {
          if (halo) S.line(c, [p, q], theme.paper, w + 3);
          S.line(c, [p, q], colour, w);
          if (thick) S.line(c, [at(Math.max(k / n - 2 * over, 0)), at(Math.min((k + 1) / n + 2 * over, 1))], light, w - 2 * edge);
        });
      }
    }

    tint(colour, normal) { // light from the upper left
      const { right, up, towards } = this.camera, n = V.unit(normal);
      const bright = -0.45 * V.dot(n, right) + 0.65 * V.dot(n, up) + 0.6 * V.dot(n, towards);
      return this.theme.mix(colour, Math.round(40 * (0.42 + 0.3 * bright)) / 40);
    }

    // A convex body: corners in ground axes, faces by index anticlockwise from outside, whether their edges show.
    solid(corners, faces, sharp, colour, edge, lift, z) {
      const flat = corners.map((p) => this.flat(p));
      const depth = z ?? flat.reduce((sum, p) => sum + p[2], 0) / flat.length;
      const shown = [];
      faces.forEach((face, k) => {
        let area = 0;
        for (let i = 0; i < face.length; i++) {
          const p = flat[face[i]], q = flat[face[(i + 1) % face.length]];
          area += p[0] * q[1] - q[0] * p[1];
        }
        if (area >= 0) return; // it looks away: anticlockwise upwards is clockwise down the screen
        const [a, b, d] = [corners[face[0]], corners[face[1]], corners[face[2]]];
        shown.push([face.map((i) => flat[i]), this.tint(colour, V.cross(V.sub(b, a), V.sub(d, a))), !sharp || sharp[k]]);
      });
      const width = Math.max(0.1 * this.u, 0.8);
      this.put(depth, lift || 0, (c) => {
        for (const [polygon, tint] of shown) S.polygon(c, polygon, tint, tint, 0.7);
        for (const [polygon, , edged] of shown) if (edged) S.polygon(c, polygon, null, edge, width);
        S.polygon(c, hull(flat), null, edge, width);
      });
    }

    // A cylinder as a short thick line.
    stub(at, axis, radius, half, colour, edge) {
      const a = this.flat(B.vec.add(at, axis, -half)), b = this.flat(B.vec.add(at, axis, half)), w = 2 * radius * this.u / this.metres(at);
      this.put((a[2] + b[2]) / 2, 0.4, (c) => {
        S.line(c, [a, b], edge, w + 1.5);
        S.line(c, [a, b], colour, w);
      });
    }

    slab(corners, fill, edge, under) {
      const outline = hull(corners.map((p) => this.flat(p)));
      this.put(under ? -1e12 : 1e12, 0, (c) => {
        c.globalAlpha *= under ? 0.55 : 0.3;
        S.polygon(c, outline, fill);
        c.globalAlpha /= under ? 0.55 : 0.3;
        S.polygon(c, outline, null, edge, 1);
      });
    }

    cylinder(at, axis, radius, half, colour, edge, lift) {
      const [u, v] = V.across(axis), corners = [], faces = [], sharp = [];
      for (const s of [-half, half]) {
        for (let k = 0; k < ROUND; k++) {
          const a = 2 * Math.PI * k / ROUND, x = radius * Math.cos(a), y = radius * Math.sin(a);
          corners.push([0, 1, 2].map((i) => at[i] + s * axis[i] + x * u[i] + y * v[i]));
        }
      }
      for (let k = 0; k < ROUND; k++) {
        const next = (k + 1) % ROUND;
        faces.push([k, next, ROUND + next, ROUND + k]); sharp.push(0);
      }
      const ring = [...Array(ROUND).keys()];
      faces.push(ring.map((k) => ROUND + k), ring.reverse()); sharp.push(1, 1);
      this.solid(corners, faces, sharp, colour, edge, lift);
    }

    box(at, axes, sides, colour, edge, lift) {
      const corners = [];
      for (let k = 0; k < 8; k++) {
        const s = [0, 1, 2].map((i) => (k >> i & 1 ? 0.5 : -0.5) * sides[i]);
        corners.push([0, 1, 2].map((i) => at[i] + s[0] * axes[0][i] + s[1] * axes[1][i] + s[2] * axes[2][i]));
      }
      const faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
      this.solid(corners, faces, null, colour, edge, lift);
    }

    ball(p, radius, colour, edge, lift) { // radius in pixels
      const { theme } = this, f = this.flat(p);
      if (this.plain) return this.put(f[2], lift || 0, (c) => S.circle(c, f[0], f[1], radius, theme.mix(colour, 0.4), edge, 0.8));
      this.put(f[2], lift || 0, (c) => {
        const g = c.createRadialGradient(f[0] - 0.35 * radius, f[1] - 0.4 * radius, 0.1 * radius, f[0], f[1], radius);
        g.addColorStop(0, theme.mix(colour, 0.85));
        g.addColorStop(1, theme.mix(colour, 0.3));
        S.circle(c, f[0], f[1], radius, g, edge, Math.max(0.1 * this.u, 0.8));
      });
    }
  };

  // The outline of points on the screen (Andrew's monotone chain).
  function hull(points) {
    const order = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const half = (list) => {
      const out = [];
      for (const p of list) {
        while (out.length > 1) {
          const [o, a] = [out[out.length - 2], out[out.length - 1]];
          if ((a[0] - o[0]) * (p[1] - o[1]) - (a[1] - o[1]) * (p[0] - o[0]) > 1e-9) break;
          out.pop();
        }
        out.push(p);
      }
      return out.slice(0, -1);
    };
    return [...half(order), ...half(order.reverse())];
  }
})(globalThis.BielaPlayer);
