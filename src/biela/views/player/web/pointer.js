// Mouse, pen and fingers on the stage: move, go round, come nearer; or drag a point, if the page wants to know.
(function (B) {
  "use strict";

  B.Pointer = class {
    constructor(player, canvas) {
      Object.assign(this, { player, canvas, down: new Map(), held: null });
      canvas.addEventListener("pointerdown", (e) => this.press(e));
      canvas.addEventListener("pointermove", (e) => this.move(e));
      for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (e) => this.release(e));
      canvas.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
      canvas.addEventListener("dblclick", () => player.fit());
      canvas.addEventListener("contextmenu", (e) => e.preventDefault());
    }

    place(e) {
      const box = this.canvas.getBoundingClientRect();
      return [e.clientX - box.left, e.clientY - box.top];
    }

    // The draggable point under the pointer.
    hit([x, y]) {
      const { player } = this, wanted = player.options.draggable;
      if (!wanted || !wanted.length || player.data.dimension !== 2) return null;
      const motion = player.motions[0];
      let best = null, least = 18;
      for (const p of motion.result.points) {
        if (!wanted.includes(p.name)) continue;
        const at = player.camera.project(motion.at(p.at)), away = Math.hypot(at.x - x, at.y - y);
        if (away < least) { best = p.name; least = away; }
      }
      return best;
    }

    press(e) {
      this.player.root.focus({ preventScroll: true });
      this.canvas.setPointerCapture(e.pointerId);
      const at = this.place(e), name = this.down.size === 0 && e.button === 0 ? this.hit(at) : null;
      this.down.set(e.pointerId, at);
      if (name) { this.held = name; this.tell(at, "start"); }
      e.preventDefault();
    }

    tell(at, phase) { this.player.options.drag?.(this.held, this.player.camera.toWorld(...at), phase); }

    move(e) {
      const at = this.place(e), old = this.down.get(e.pointerId), { camera } = this.player;
      if (!old) { this.canvas.style.cursor = this.hit(at) ? "grab" : ""; return; }
      if (this.held) { this.down.set(e.pointerId, at); this.tell(at, "move"); return; }
      if (this.down.size === 1) {
        const dx = at[0] - old[0], dy = at[1] - old[1];
        if (e.shiftKey || e.buttons & 6) camera.pan(dx, dy); else camera.orbit(dx, dy);
      } else {
        const [other] = [...this.down].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
        const before = Math.hypot(old[0] - other[0], old[1] - other[1]), after = Math.hypot(at[0] - other[0], at[1] - other[1]);
        camera.pan((at[0] - old[0]) / 2, (at[1] - old[1]) / 2);
        if (before > 5) camera.zoomAt((at[0] + other[0]) / 2, (at[1] + other[1]) / 2, after / before);
      }
      this.down.set(e.pointerId, at);
      this.player.redraw();
    }

    release(e) {
      if (!this.down.delete(e.pointerId)) return;
      if (this.held) { this.tell(this.place(e), "end"); this.held = null; }
    }

    wheel(e) {
      const { player } = this;
      if (player.options.wheel === "focus" && !player.root.contains(document.activeElement)) return;
      e.preventDefault();
      const lines = e.deltaMode === 1 ? 18 : 1;
      player.camera.zoomAt(...this.place(e), Math.exp(-0.0016 * lines * e.deltaY));
      player.redraw();
    }
  };
})(globalThis.BielaPlayer);
