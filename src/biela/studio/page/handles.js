// Handles on the points: rings over the picture, to be seen with the mouse and moved with the keys. Points that cannot
// be dragged have pale ones, which say why.

const STEP = 0.02, FINE = 0.002; // of the picture's height, for one press of an arrow
const AGAIN = 800; // milliseconds within which a press goes on from the one before
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Handles {
  constructor(player, points, refused, moved) {
    this.list = points.map((h) => h.point + h.ok).join();
    this.player = player;
    this.layer = document.createElement("div");
    this.layer.className = "handles";
    player.stage.canvas.parentElement.append(this.layer);
    this.rings = new Map();
    for (const { point: name, ok, why } of points) {
      const ring = document.createElement("button");
      ring.type = "button";
      ring.title = ok ? name : name + " cannot be dragged: " + why;
      this.rings.set(name, ring);
      this.layer.append(ring);
      if (!ok) {
        ring.className = "held";
        ring.setAttribute("aria-label", "Point " + ring.title);
        for (const event of ["pointerdown", "focus"]) ring.addEventListener(event, () => refused(name, why));
        continue;
      }
      ring.setAttribute("aria-label", "Point " + name + ": move it with the arrow keys, with Shift in small steps");
      ring.addEventListener("keydown", (e) => {
        if (!KEYS[e.key]) return;
        e.preventDefault();
        e.stopPropagation();
        const size = (e.shiftKey ? FINE : STEP) * player.stage.height / player.camera.scale;
        const on = this.going?.name === name && performance.now() - this.going.when < AGAIN; // its picture may not be there yet
        const to = (on ? this.going.to : this.at(name)).map((x, k) => x + size * KEYS[e.key][k]);
        this.going = { name, to, when: performance.now() };
        moved(name, to);
      });
    }
    this.follow = () => {
      if (this.gone) return;
      this.place();
      this.frame = requestAnimationFrame(this.follow);
    };
    this.follow();
  }

  at(name) {
    const motion = this.player.motions[0], point = motion.result.points.find((p) => p.name === name);
    return point ? [...motion.at(point.at)].slice(0, 2) : null;
  }

  place() {
    for (const [name, ring] of this.rings) {
      const at = this.at(name);
      ring.hidden = !at;
      if (!at) continue;
      const { x, y } = this.player.camera.project(at);
      const style = "translate(" + (x - 11).toFixed(1) + "px," + (y - 11).toFixed(1) + "px)";
      if (ring.style.transform !== style) ring.style.transform = style;
    }
  }

  destroy() {
    this.gone = true;
    cancelAnimationFrame(this.frame);
    this.layer.remove();
  }
}
