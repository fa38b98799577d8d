// The stage: the canvas that the mechanism moves on.
(function (B) {
  "use strict";

  B.Stage = class {
    constructor(player) {
      this.player = player;
      this.canvas = player.panel.canvas;
      this.context = this.canvas.getContext("2d");
      this.traces = new B.Traces();
      this.pointer = new B.Pointer(player, this.canvas);
    }

    resize() {
      const box = this.canvas.parentElement.getBoundingClientRect(), ratio = Math.min(devicePixelRatio || 1, 3);
      const width = Math.floor(box.width), height = Math.floor(box.height);
      if (!width || !height) { this.width = 0; return; }
      if (width !== this.width || height !== this.height || ratio !== this.ratio) {
        Object.assign(this, { width, height, ratio });
        this.canvas.width = width * ratio;
        this.canvas.height = height * ratio;
        this.canvas.style.width = width + "px";
        this.canvas.style.height = height + "px";
      }
      this.player.camera.resize(width, height);
      this.traces.clear();
    }

    // The size of the signs: a small part of the picture, and of the links.
    unit() {
      const { data, camera } = this.player, usual = Math.min(Math.max(0.026 * Math.min(this.width, this.height), 8), 15);
      return Math.min(usual, Math.max(0.22 * data.link * camera.scale, 2.2));
    }

    // One motion in the colours of its bodies; several in one colour each.
    colour(k) { return this.player.theme.body(k); }

    draw() {
      if (!this.width) return;
      const { player, context: c } = this, { data, camera, theme, show, motions } = player;
      c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      c.clearRect(0, 0, this.width, this.height);
      const several = motions.length > 1, u = this.unit(), plane = data.dimension === 2;
      const view = [camera.zoom, camera.shift, camera.middle, camera.azimuth, camera.elevation, camera.perspective].join();
      if (show.grid) (plane ? B.drawGrid : B.drawFloor)(c, camera, plane ? theme : data, theme);
      const visible = motions.map((m, k) => [m, k]).filter(([, k]) => show.results.has(k));
      const paths = () => {
        if (!show.traces) return;
        for (const [m, k] of visible) {
          this.traced(m).forEach((place, i) => this.traces.draw(c, camera, m, [place], theme.body(several ? k : i + 1), theme, view));
        }
      };
      if (!plane) paths();
      visible.reverse().forEach(([m, k]) => { // the first on top
        const first = k === visible[visible.length - 1][1];
        const style = { theme, u, ghost: !first, several, centers: show.centers && !several, paths: first && paths, ink: several ? () => theme.body(k) : (i) => theme.body(i) };
        c.globalAlpha = several && !first ? 0.65 : 1;
        (plane ? B.drawPlane : B.drawSpace)(c, camera, m, style);
        c.globalAlpha = 1;
      });
      if (!plane) { // what bodies hide of a path shines through
        c.globalAlpha = 0.3;
        paths();
        c.globalAlpha = 1;
      }
      for (const [m] of visible) B.drawArrows(c, camera, m, show.vectors, data.scales, theme);
      if (show.names && visible.length) B.drawNames(c, camera, visible[visible.length - 1][0], u, theme, this.wide(camera));
      B.drawKey(c, camera, data, show.vectors, theme);
      B.drawTriad(c, camera, data, theme);
      if (plane || !camera.perspective) B.drawScale(c, camera, theme);
      this.described();
    }

    // Names look for their places again when the picture has changed much, not while it is turned or moved.
    wide(camera) { return Math.round(Math.log2(camera.zoom) * 2) + "," + this.width + "," + this.height; }

    traced(motion) {
      const { show } = this.player, { points, traces } = motion.result, found = new Map();
      for (const p of [...points, ...traces]) if (show.traced.has(p.name)) found.set(p.name, p.at);
      return [...found.values()];
    }

    described() { // not at every frame: screen readers need not hear every number
      const now = performance.now();
      if (this.player.playing && now - (this.said || 0) < 1000) return;
      this.said = now;
      this.canvas.setAttribute("aria-label", "Drawing of " + this.player.data.title + " at t = " + B.say(this.player.time, 3) + " s");
    }
  };
})(globalThis.BielaPlayer);
