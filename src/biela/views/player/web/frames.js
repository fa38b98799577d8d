// Where everything is: poses of the moving frames at any time, interpolated between the instants that were kept.
(function (B) {
  "use strict";

  B.Motion = class {
    constructor(result, dimension) {
      Object.assign(this, { result, dimension, width: dimension === 2 ? 3 : 7, hold: dimension === 2 ? 4 : 12 });
      this.t = B.numbers(result.t);
      this.poses = B.numbers(result.poses);
      this.count = result.count;
      this.size = result.frames.length;
      this.now = new Float64Array(this.size * this.hold); // x y cos sin | x y z and the rotation by rows
      this.low = this.share = 0;
      this.paths = new Map();
      this.arrows = new Map();
      this.seek(this.t[0] || 0);
    }

    seek(time) {
      const last = this.count - 1;
      let k = Math.min(B.before(this.t, time), Math.max(last - 1, 0));
      const step = last > 0 ? this.t[k + 1] - this.t[k] : 0;
      const share = step > 0 ? Math.min(Math.max((time - this.t[k]) / step, 0), 1) : 0;
      this.low = k; this.share = share;
      const next = last > 0 ? k + 1 : k;
      for (let f = 0; f < this.size; f++) {
        const a = (k * this.size + f) * this.width, b = (next * this.size + f) * this.width, o = f * this.hold;
        if (this.dimension === 2) this.plane(a, b, share, o); else this.space(a, b, share, o);
      }
    }

    plane(a, b, s, o) {
      const p = this.poses, now = this.now;
      const angle = p[a + 2] + s * (p[b + 2] - p[a + 2]);
      now[o] = p[a] + s * (p[b] - p[a]);
      now[o + 1] = p[a + 1] + s * (p[b + 1] - p[a + 1]);
      now[o + 2] = Math.cos(angle);
      now[o + 3] = Math.sin(angle);
    }

    space(a, b, s, o) {
      const p = this.poses, now = this.now, q = [0, 0, 0, 0];
      for (let k = 0; k < 3; k++) now[o + k] = p[a + k] + s * (p[b + k] - p[a + k]);
      let dot = 0, norm = 0;
      for (let k = 3; k < 7; k++) dot += p[a + k] * p[b + k];
      const sign = dot < 0 ? -1 : 1;
      for (let k = 0; k < 4; k++) {
        q[k] = (1 - s) * p[a + 3 + k] + s * sign * p[b + 3 + k];
        norm += q[k] * q[k];
      }
      norm = Math.sqrt(norm) || 1;
      const w = q[0] / norm, x = q[1] / norm, y = q[2] / norm, z = q[3] / norm;
      now[o + 3] = 1 - 2 * (y * y + z * z); now[o + 4] = 2 * (x * y - w * z); now[o + 5] = 2 * (x * z + w * y);
      now[o + 6] = 2 * (x * y + w * z); now[o + 7] = 1 - 2 * (x * x + z * z); now[o + 8] = 2 * (y * z - w * x);
      now[o + 9] = 2 * (x * z - w * y); now[o + 10] = 2 * (y * z + w * x); now[o + 11] = 1 - 2 * (x * x + y * y);
    }

    // A place [frame, x, y (, z)] in ground axes, now.
    at(place) { return this.local(place[0], place, 1); }

    // Coordinates in a frame's axes, from index k on.
    local(frame, v, k) {
      if (frame < 0) return this.dimension === 2 ? [v[k], v[k + 1]] : [v[k], v[k + 1], v[k + 2]];
      const n = this.now, o = frame * this.hold;
      if (this.dimension === 2) {
        const c = n[o + 2], s = n[o + 3];
        return [n[o] + c * v[k] - s * v[k + 1], n[o + 1] + s * v[k] + c * v[k + 1]];
      }
      const x = v[k], y = v[k + 1], z = v[k + 2];
      return [n[o] + n[o + 3] * x + n[o + 4] * y + n[o + 5] * z, n[o + 1] + n[o + 6] * x + n[o + 7] * y + n[o + 8] * z,
        n[o + 2] + n[o + 9] * x + n[o + 10] * y + n[o + 11] * z];
    }

    // A vector [frame, x, y, z] in ground axes, now.
    turn(v) {
      const a = this.local(v[0], v, 1), b = this.local(v[0], [0, 0, 0], 0);
      return a.map((x, k) => x - b[k]);
    }

    // The path of a place over all instants: Float32Array of count x dimension, kept for the next time.
    path(place) {
      const key = place.join();
      if (!this.paths.has(key)) {
        const d = this.dimension, out = new Float32Array(this.count * d), k = this.low, s = this.share;
        const f = place[0];
        for (let i = 0; i < this.count; i++) {
          if (f >= 0) {
            const a = (i * this.size + f) * this.width;
            if (d === 2) this.plane(a, a, 0, f * this.hold); else this.space(a, a, 0, f * this.hold);
          }
          out.set(this.at(place), i * d);
        }
        this.paths.set(key, out);
        this.seek(this.t[k] + s * ((this.t[k + 1] ?? this.t[k]) - this.t[k]));
      }
      return this.paths.get(key);
    }

    // Arrows of one kind now: calls draw(place, vector) for each.
    each(arrows, draw) {
      if (!this.arrows.has(arrows)) this.arrows.set(arrows, B.numbers(arrows.data));
      const data = this.arrows.get(arrows), d = this.dimension, n = arrows.at.length, stride = arrows.stride || 1;
      const rows = data.length / (n * d);
      const where = Math.min((this.low + this.share) / stride, rows - 1);
      const low = Math.min(Math.floor(where), Math.max(rows - 2, 0)), high = Math.min(low + 1, rows - 1), s = where - low;
      for (let k = 0; k < n; k++) {
        const v = [];
        for (let i = 0; i < d; i++) {
          const a = data[(low * n + k) * d + i], b = data[(high * n + k) * d + i];
          v.push(a + s * (b - a));
        }
        if (v.every(isFinite)) draw(this.at(arrows.at[k]), v);
      }
    }
  };
})(globalThis.BielaPlayer);
