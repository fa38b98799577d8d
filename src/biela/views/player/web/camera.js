// From the mechanism to the screen: a sheet that is moved and scaled, or an eye that goes round.
(function (B) {
  "use strict";
  const MARGIN = 0.86, FAR = 3.2; // of the picture that the mechanism fills; distance of the eye over its size

  // Both cameras: project(p) sets x, y (pixels) and z (metres towards the eye); scale is pixels per metre at p.
  B.PlaneCamera = class {
    constructor(data) { this.set(data); this.zoom = 1; this.shift = [0, 0]; }

    set(data) {
      const [low, high] = data.box;
      this.middle = [0, 1].map((k) => (low[k] + high[k]) / 2);
      this.span = [0, 1].map((k) => high[k] - low[k]);
      const most = Math.max(...this.span) || data.link || 1;
      this.span = this.span.map((x) => Math.max(x, 0.25 * most));
    }

    resize(width, height, inset) {
      Object.assign(this, { width, height, inset: inset || 0 });
      this.base = Math.min(MARGIN * (width - 36) / this.span[0], MARGIN * (height - 36 - this.inset) / this.span[1]);
    }

    fit() { this.zoom = 1; this.shift = [0, 0]; }
    get scale() { return this.base * this.zoom; }

    project(p) {
      const s = this.scale;
      this.x = this.width / 2 + s * (p[0] - this.middle[0]) + this.shift[0];
      this.y = (this.height - this.inset) / 2 - s * (p[1] - this.middle[1]) + this.shift[1];
      this.z = 0;
      return this;
    }

    toWorld(x, y) {
      const s = this.scale;
      return [this.middle[0] + (x - this.width / 2 - this.shift[0]) / s,
        this.middle[1] - (y - (this.height - this.inset) / 2 - this.shift[1]) / s];
    }

    pan(dx, dy) { this.shift[0] += dx; this.shift[1] += dy; }
    orbit(dx, dy) { this.pan(dx, dy); }

    zoomAt(x, y, factor) {
      const zoom = Math.min(Math.max(this.zoom * factor, 0.05), 500), k = zoom / this.zoom;
      const cx = this.width / 2, cy = (this.height - this.inset) / 2;
      this.shift = [x - cx - k * (x - cx - this.shift[0]), y - cy - k * (y - cy - this.shift[1])];
      this.zoom = zoom;
    }
  };

  B.SpaceCamera = class {
    constructor(data) { this.perspective = true; this.set(data); this.start = data.view || [30, 24]; this.fit(); }

    set(data) {
      const [low, high] = data.box;
      this.home = low.map((x, k) => (x + high[k]) / 2);
      this.size = Math.hypot(...low.map((x, k) => high[k] - x)) || data.link || 1;
      this.axes = data.horizon || [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
      this.corners = [];
      for (let k = 0; k < 8; k++) this.corners.push([0, 1, 2].map((i) => (k >> i & 1 ? high[i] : low[i])));
    }

    fit() {
      [this.azimuth, this.elevation] = this.start;
      this.zoom = 1; this.middle = [...this.home];
      this.aim();
      if (this.width) this.resize(this.width, this.height, this.inset);
    }

    aim() {
      const a = this.azimuth * Math.PI / 180, e = this.elevation * Math.PI / 180, [f, g, h] = this.axes;
      const mix = (x, y, z) => [0, 1, 2].map((k) => x * f[k] + y * g[k] + z * h[k]);
      this.right = mix(-Math.sin(a), Math.cos(a), 0);
      this.up = mix(-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e));
      this.towards = mix(Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e));
    }

    // As large as the box allows in the view it starts with; turning does not change it.
    resize(width, height, inset) {
      Object.assign(this, { width, height, inset: inset || 0 });
      const kept = [this.zoom, this.middle, this.azimuth, this.elevation];
      [this.zoom, this.middle, this.azimuth, this.elevation] = [1, this.home, ...this.start];
      this.aim(); this.base = 1;
      let x = 0.15 * this.size, y = 0.15 * this.size;
      for (const c of this.corners) {
        this.project(c);
        x = Math.max(x, Math.abs(this.x - width / 2));
        y = Math.max(y, Math.abs(this.y - (height - this.inset) / 2));
      }
      this.base = Math.min(MARGIN * (width - 48) / (2 * x), MARGIN * (height - 56 - this.inset) / (2 * y));
      [this.zoom, this.middle, this.azimuth, this.elevation] = kept;
      this.aim();
    }

    get scale() { return this.base * this.zoom; }

    project(p) {
      const u = p[0] - this.middle[0], v = p[1] - this.middle[1], w = p[2] - this.middle[2];
      const { right: r, up: a, towards: t } = this;
      this.z = u * t[0] + v * t[1] + w * t[2];
      const away = FAR * this.size;
      this.near = this.perspective ? away / Math.max(away - this.z, 0.05 * away) : 1;
      const s = this.scale * this.near;
      this.x = this.width / 2 + s * (u * r[0] + v * r[1] + w * r[2]);
      this.y = (this.height - this.inset) / 2 - s * (u * a[0] + v * a[1] + w * a[2]);
      return this;
    }

    pan(dx, dy) {
      const s = this.scale;
      for (let k = 0; k < 3; k++) this.middle[k] += (-dx * this.right[k] + dy * this.up[k]) / s;
    }

    orbit(dx, dy) {
      this.azimuth -= 0.45 * dx;
      this.elevation = Math.min(Math.max(this.elevation + 0.45 * dy, -89), 89);
      this.aim();
    }

    zoomAt(x, y, factor) {
      const zoom = Math.min(Math.max(this.zoom * factor, 0.05), 200), k = zoom / this.zoom;
      const dx = x - this.width / 2, dy = y - (this.height - this.inset) / 2;
      this.zoom = zoom;
      this.pan(dx * (1 - k), dy * (1 - k));
    }
  };
})(globalThis.BielaPlayer);
