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
      this.rows = [0, 0, 0, 0];
      this.weights = [0, 1, 0, 0];
      this.paths = new Map();
      this.arrows = new Map();
      this.seek(this.t[0] || 0);
    }

    seek(time) {
      this.time = time;
      const last = this.count - 1, t = this.t;
      const k = Math.min(B.before(t, time), Math.max(last - 1, 0)), next = last > 0 ? k + 1 : k;
      const step = t[next] - t[k], exact = step > 0 ? Math.min(Math.max((time - t[k]) / step, 0), 1) : 0;
      const share = this.result.hold ? Math.round(exact) : exact; // samples too far apart: no motion between them
      this.low = k; this.share = share;
      this.weigh(k, next, step, share);
      for (let f = 0; f < this.size; f++) this.set(f);
    }

    // Cubics with the slopes of the neighbours' chords: weights of four instants, of which two may be the same.
    weigh(k, next, step, s) {
      const t = this.t, before = Math.max(k - 1, 0), after = Math.min(next + 1, this.count - 1);
      const u = s * (1 - s) * (1 - s), v = s * s * (1 - s); // of the slopes at both ends, times the step
      const a = t[next] > t[before] ? step / (t[next] - t[before]) : 0, b = t[after] > t[k] ? step / (t[after] - t[k]) : 0;
      const flat = s - u + v; // what the ends have beside their slopes: s^2 (3 - 2 s)
      const row = this.size * this.width, r = this.rows, w = this.weights;
      r[0] = before * row; r[1] = k * row; r[2] = next * row; r[3] = after * row;
      w[0] = -u * a; w[1] = 1 - flat + v * b; w[2] = flat + u * a; w[3] = -v * b;
      if (before === k && after > next) this.bend(u, step, t[after] - t[next], 1, 2, 3);
      if (after === next && before < k) this.bend(v, step, t[k] - t[before], 2, 1, 0);
    }

    // At the first and the last instant: the slope of the parabola through three.
    bend(share, near, far, end, middle, other) {
      const w = this.weights, c = share * near / (near + far) || 0, d = far > 0 ? c * near / far : 0;
      w[end] -= c; w[middle] += c + d; w[other] -= d;
    }

    value(i) { // one number of the poses, interpolated
      const p = this.poses, r = this.rows, w = this.weights;
      return w[0] * p[r[0] + i] + w[1] * p[r[1] + i] + w[2] * p[r[2] + i] + w[3] * p[r[3] + i];
    }

    set(f) {
      const i = f * this.width, o = f * this.hold, now = this.now;
      now[o] = this.value(i);
      now[o + 1] = this.value(i + 1);
      if (this.dimension === 2) {
        const angle = this.value(i + 2);
        now[o + 2] = Math.cos(angle);
        now[o + 3] = Math.sin(angle);
        return;
      }
      now[o + 2] = this.value(i + 2);
      let w = this.value(i + 3), x = this.value(i + 4), y = this.value(i + 5), z = this.value(i + 6);
      const n = Math.hypot(w, x, y, z) || 1;
      w /= n; x /= n; y /= n; z /= n;
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

    // The path of a place, also between the instants where they are few: {points, where}, kept for the next time;
    // where[i] is the instant (and share) of the i-th point.
    path(place) {
      const key = place.join();
      if (!this.paths.has(key)) {
        const d = this.dimension, parts = Math.max(1, Math.min(8, Math.floor(1200 / this.count))), f = place[0];
        const count = (this.count - 1) * parts + 1, points = new Float32Array(count * d), where = new Float32Array(count);
        for (let i = 0; i < count; i++) {
          const k = Math.min(Math.floor(i / parts), Math.max(this.count - 2, 0)), next = Math.min(k + 1, this.count - 1);
          if (f >= 0) {
            this.weigh(k, next, this.t[next] - this.t[k], i / parts - k);
            this.set(f);
          }
          points.set(this.at(place), i * d);
          where[i] = i / parts;
        }
        this.paths.set(key, { points, where, count });
        this.seek(this.t[this.low] + this.share * ((this.t[this.low + 1] ?? this.t[this.low]) - this.t[this.low]));
      }
      return this.paths.get(key);
    }

    // Looks at some instants spread over the motion, and comes back to where it was.
    over(count, look) {
      const { low, share, t } = this, last = this.count - 1;
      for (let k = 0; k < count; k++) {
        this.seek(t[Math.round(k / Math.max(count - 1, 1) * last)]);
        look(k);
      }
      this.seek(t[low] + share * ((t[low + 1] ?? t[low]) - t[low]));
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
