// A mechanism in space: bodies and joints as items of a painter.
(function (B) {
  "use strict";
  const S = B.signs, V = B.vec, DASHES = [7, 2.5, 1.5, 2.5];

  B.drawSpace = function (c, camera, motion, style) {
    const { theme, u, ink } = style, painter = new B.Painter(c, camera, theme, u), many = motion.size > 80;
    painter.plain = many && u < 7; // signs too small, and too many, for shades
    painter.begin();
    for (const s of motion.result.shapes) shape(painter, motion, s, ink(s.colour), style, many);
    for (const s of motion.result.signs) {
      const sign = s.parts ? joint : SIGNS[s.type];
      if (sign) sign(painter, motion, s, style);
    }
    painter.paint();
  };

  function shape(p, motion, s, colour, style, many) {
    const at = (x) => motion.local(s.frame, x, 0), { theme, u } = style;
    if (s.type === "bar") p.bar(...setBack(p, s, s.corners.map(at)), colour, 0, many ? 1 : 0);
    else if (s.type === "rod") p.bar(at(s.corners[0]), at(s.corners[1]), colour, Math.max(0.26 * u, 1.6), many ? 1 : 0);
    else if (s.type === "mass") p.ball(at(s.at), 0.72 * u, colour, theme.ink, 0.5);
    else if (s.type === "ball") {
      const place = at(s.at);
      p.ball(place, s.radius * u / p.metres(place), colour, colour, 0);
    } else if (s.type === "solid") p.solid(s.corners.map(at), s.faces, s.sharp, colour, colour, 0);
    else if (s.type === "slab") { // under everything, or over it for who looks from the forbidden side
      if (style.ghost) return;
      const under = V.dot(motion.turn(s.normal), p.camera.towards) < 0;
      p.slab(s.corners.map(at), theme.mix(theme.grey, 0.6), theme.grey, under);
    }
    else if (s.type === "sheet") sheet(p, s.corners.map(at), colour, style);
    else if (s.type === "center" && style.centers) {
      const f = p.flat(at(s.at));
      p.put(f[2], 2, (c) => S.center(c, f[0], f[1], colour, u));
    }
  }

  // The ends of a bar, moved back to the roots of the forks where universal joints hold it.
  function setBack(p, s, ends) {
    if (!s.back) return ends;
    const along = V.sub(ends[1], ends[0]), length = Math.hypot(...along) || 1;
    return ends.map((x, k) => V.add(x, along, (k ? -1 : 1) * Math.min(s.back[k] * p.metres(x) / length, 0.4)));
  }

  function sheet(p, corners, colour, style) {
    let n = V.cross(V.sub(corners[1], corners[0]), V.sub(corners[2], corners[0]));
    if (V.dot(n, p.camera.towards) < 0) n = n.map((x) => -x);
    const flat = corners.map((x) => p.flat(x)), tint = p.tint(colour, n), { u } = style;
    const z = flat.reduce((sum, f) => sum + f[2], 0) / flat.length, edge = Math.max(0.13 * u, 1);
    p.put(z, 0, (c) => {
      S.polygon(c, flat, tint, colour, 0.86 * u);
      S.polygon(c, flat, tint, style.theme.mix(colour, 0.7), 0.86 * u - 2 * edge);
    });
  }

  // ------------------------------------------------------------------------------------------------ joints
  // The sign of a joint is made of parts (biela.views.scene.signs), sizes in units of the signs: m metres each.
  function joint(p, motion, s, style) {
    const at = motion.at(s.at), m = p.metres(at), axis = V.unit(motion.turn(s.axis));
    const seat = { at: V.add(at, axis, s.shift * m), axis, other: V.unit(motion.turn(s.other)), side: V.unit(motion.turn(s.side)),
      ways: s.bodies.map((w) => motion.turn(w)) };
    for (const part of s.parts) PARTS[part.part](p, motion, s, seat, m, part, style);
  }

  const PARTS = {
    pedestal(p, motion, s, seat, m, part, style) {
      if (s.grounded) ground(p, motion, s, seat.at, style);
    },

    axis(p, motion, s, { at, axis }, m, part, style) {
      if (p.plain) return;
      for (const way of [1, -1]) {
        p.line([V.add(at, axis, way * part.from * m), V.add(at, axis, way * part.to * m)], 0, style.theme.grey, 1.1, DASHES);
      }
    },

    // Of the ground hatched, as long as the joint travels.
    rail(p, motion, s, seat, m, part, style) {
      if (!s.grounded) return PARTS.axis(p, motion, s, seat, m, part, style);
      if (style.ghost) return;
      const start = motion.at(s.start), n = p.metres(start), { theme, u } = style, reach = part.beyond * n;
      let a = p.flat(V.add(start, seat.axis, s.travel[0] - reach)), b = p.flat(V.add(start, seat.axis, s.travel[1] + reach));
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      if (length < 0.5 * u) return;
      let down = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length];
      if (down[1] < 0) { [a, b] = [b, a]; down = [-down[0], -down[1]]; }
      p.put((a[2] + b[2]) / 2, -1, (c) => {
        S.line(c, [a, b], theme.grey, 1.1, DASHES);
        S.hatched(c, ...[a, b].map((x) => [x[0] + 0.75 * u * down[0], x[1] + 0.75 * u * down[1]]), u, theme.ink);
      });
    },

    cylinder(p, motion, s, { at, axis }, m, part, { theme }) {
      const metal = part.metal === "shaft" ? theme.case : theme.steel;
      if (p.plain) p.stub(at, axis, part.radius * m, part.half * m, metal, theme.ink);
      else p.cylinder(at, axis, part.radius * m, part.half * m, metal, theme.ink, part.lift);
    },

    box(p, motion, s, { at, axis, side }, m, part, { theme }) {
      p.box(at, [axis, side, V.cross(axis, side)], part.sides.map((x) => x * m), theme.steel, theme.ink, part.lift);
    },

    ball(p, motion, s, { at }, m, part, { theme, u }) { p.ball(at, part.radius * u, theme.steel, theme.ink, part.lift); },

    // Of each body a fork that holds its own axis, and the cross between them.
    forks(p, motion, s, { at, axis, other, ways }, m, part, { theme, u, ink }) {
      [axis, other].forEach((e, k) => {
        const colour = ink(s.colours[k]), arm = V.add(ways[k], e, -V.dot(ways[k], e)), size = Math.hypot(...arm);
        for (const end of [1, -1]) {
          const tip = V.add(at, e, end * part.width * m);
          p.line([at, tip], 0.3, theme.ink, 0.3 * u);
          if (size > 1e-9 * m) {
            const bent = [];
            for (let i = 0; i <= 12; i++) {
              const q = Math.PI * i / 24;
              bent.push(V.add(V.add(at, e, end * part.width * m * Math.cos(q)), arm, part.depth * m * Math.sin(q) / size));
            }
            const flat = bent.map((x) => p.flat(x)), z = p.flat(tip)[2];
            p.put(z, 0.5, (c) => {
              c.lineCap = "round";
              S.line(c, flat, colour, 0.62 * u);
              S.line(c, flat, theme.mix(colour, 0.7), 0.36 * u);
              c.lineCap = "butt";
            });
          }
          p.ball(tip, 0.26 * u, theme.steel, theme.ink, 0.7);
        }
      });
    },

    // Of a thread, what is seen of it on both sides of its nut.
    turns(p, motion, s, { at, axis }, m, part, { theme }) {
      const [a, b] = V.across(axis), { towards } = p.camera;
      const seen = (x) => V.dot(V.sub(x, at), towards) > V.dot(axis, V.sub(x, at)) * V.dot(axis, towards);
      for (const way of [-1, 1]) for (let k = 0; k < part.count; k++) {
        const ring = [];
        for (let i = 0; i <= 12; i++) {
          const q = 2 * Math.PI * i / 12, rise = (part.first + part.pitch * k) * way + (i / 12 - 0.5) * part.pitch * s.hand;
          ring.push([0, 1, 2].map((j) => at[j] + m * (rise * axis[j] + part.radius * (Math.cos(q) * a[j] + Math.sin(q) * b[j]))));
        }
        const front = ring.filter(seen);
        if (front.length > 2) p.line(front, 0.45, theme.ink, 1);
      }
    },

    floor(p, motion, s, { at, axis, side }, m, part, { theme, ink }) {
      const v = V.cross(axis, side), half = part.half * m, colour = s.grounded ? theme.grey : ink(s.colours[0]);
      const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => V.add(V.add(at, side, half * a), v, half * b));
      const flat = corners.map((x) => p.flat(x));
      p.put(flat.reduce((sum, f) => sum + f[2], 0) / 4, -0.5, (c) => S.polygon(c, flat, theme.mix(colour, 0.8), colour, 1));
      p.line([at, V.add(at, axis, part.normal * m)], 0, theme.grey, 1.1, DASHES);
    },

    weld(p, motion, s, { at }, m, part, { theme, u }) {
      const f = p.flat(at), r = part.half * u;
      p.put(f[2], 0.5, (c) => S.polygon(c, [[f[0] - r, f[1] - r], [f[0] + r, f[1] - r], [f[0] + r, f[1] + r], [f[0] - r, f[1] + r]], theme.ink));
    },
  };

  // A pedestal below a place; above or beside it where bodies are below over most of the motion. It does not jump.
  function ground(p, motion, s, at, style) {
    if (style.ghost) return;
    const f = p.flat(at), { theme, u } = style, down = foot(p, motion, s), along = [down[1], -down[0]];
    const w = 0.85 * u, h = 1.9 * u;
    const put = (a, d) => [f[0] + a * along[0] + d * down[0], f[1] + a * along[1] + d * down[1]];
    p.put(f[2], -0.6, (c) => {
      S.polygon(c, [put(-0.28 * u, 0), put(0.28 * u, 0), put(w, h), put(-w, h)], theme.case, theme.ink, Math.max(0.1 * u, 1));
      S.hatched(c, put(-1.55 * w, h), put(1.55 * w, h), u, theme.ink);
    });
  }

  const FEET = [[0, 1], [0, -1], [-1, 0], [1, 0]];

  function foot(p, motion, s) {
    const { azimuth, elevation, right, up } = p.camera, view = Math.round(azimuth / 40) + "," + Math.round(elevation / 40);
    const known = (motion.feet = motion.feet || new Map()), old = known.get(s);
    if (old && old.view === view) return old.way;
    const cost = [0, 0.25, 0.3, 0.3];
    const ways = (s.bodies || []).filter((w) => w[0] >= 0 && w.slice(1).some(Boolean));
    motion.over(12, () => {
      for (const way of ways) {
        const e = V.unit(motion.turn(way));
        FEET.forEach((d, n) => { cost[n] += Math.max(0, d[0] * V.dot(e, right) - d[1] * V.dot(e, up)) ** 2 / 12; });
      }
    });
    const way = FEET[cost.indexOf(Math.min(...cost))];
    known.set(s, { view, way });
    return way;
  }

  function link(p, motion, s, style) {
    p.bar(...s.ends.map((e) => motion.at(e)), style.theme.ink, Math.max(0.24 * style.u, 1.6));
  }

  function springs(p, motion, s, style) {
    const [a, b] = s.ends.map((e) => p.flat(motion.at(e)));
    p.put((a[2] + b[2]) / 2, 0.3, (c) => S.springs(c, a, b, s, style.u, style.theme));
  }

  function turning(p, motion, s, style) {
    if (style.ghost) return;
    const at = motion.at(s.at), axis = V.unit(motion.turn(s.axis)), m = p.metres(at), colour = style.theme.reaction;
    const side = V.dot(motion.turn(s.away), axis) > 0 ? -1 : 1, [a, b] = V.across(axis), arc = [];
    for (let i = 0; i <= 24; i++) {
      const q = 2 * Math.PI * (0.1 + 0.72 * i / 24);
      arc.push([0, 1, 2].map((k) => at[k] + m * (side * 1.9 * axis[k] + 1.3 * (Math.cos(q) * a[k] + Math.sin(q) * b[k]))));
    }
    for (let k = 0; k < 24; k += 6) p.line(arc.slice(k, k + 7), 0, colour, Math.max(0.15 * style.u, 1.3));
    const end = p.flat(arc[24]), back = p.flat(arc[21]), n = Math.hypot(end[0] - back[0], end[1] - back[1]) || 1;
    const e = [(end[0] - back[0]) / n, (end[1] - back[1]) / n];
    p.put(end[2], 0.3, (c) => S.arrow(c, [end[0] - 0.2 * style.u * e[0], end[1] - 0.2 * style.u * e[1]], [end[0] + 0.8 * style.u * e[0], end[1] + 0.8 * style.u * e[1]], colour, Math.max(0.24 * style.u, 2)));
  }

  function pushing(p, motion, s, style) {
    if (style.ghost) return;
    const at = motion.at(s.at), axis = V.unit(motion.turn(s.axis)), m = p.metres(at);
    const a = p.flat(V.add(at, axis, 1.4 * m)), b = p.flat(V.add(at, axis, 3.6 * m));
    p.put(a[2], 0.6, (c) => S.arrow(c, a, b, style.theme.reaction, Math.max(0.16 * style.u, 1.5)));
  }

  function point(p, motion, s, style) {
    const f = p.flat(motion.at(s.at));
    if (s.type === "ground") ground(p, motion, s, motion.at(s.at), style);
    p.put(f[2], 0.6, (c) => S.point(c, f[0], f[1], style.theme, style.u));
  }

  function lock(p, motion, s, style) {
    if (style.ghost) return;
    const flat = s.ends.map((x) => p.flat(motion.at(x)));
    p.put(Math.max(...flat.map((f) => f[2])), 3, (c) => B.drawLock(c, motion, s, (x) => p.flat(x), 0, style.u, style.theme));
  }

  // What is no joint; these have parts.
  const SIGNS = { link, springs, turning, pushing, point, ground: point, lock };
})(globalThis.BielaPlayer);
