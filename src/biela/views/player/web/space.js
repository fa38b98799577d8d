// A mechanism in space: bodies and joints as items of a painter.
(function (B) {
  "use strict";
  const S = B.signs, V = B.vec, DASHES = [7, 2.5, 1.5, 2.5];

  B.drawSpace = function (c, camera, motion, look) {
    const { theme, u, ink } = look, painter = new B.Painter(c, camera, theme, u), many = motion.size > 80;
    painter.plain = many && u < 7; // signs too small, and too many, for shades
    painter.begin();
    for (const s of motion.result.shapes) shape(painter, motion, s, ink(s.colour), look, many);
    for (const s of motion.result.signs) {
      const sign = SIGNS[s.type];
      if (sign) sign(painter, motion, s, look);
    }
    painter.paint();
  };

  function shape(p, motion, s, colour, look, many) {
    const at = (x) => motion.local(s.frame, x, 0), { theme, u } = look;
    if (s.type === "bar") p.bar(at(s.corners[0]), at(s.corners[1]), colour, 0, many ? 1 : 0);
    else if (s.type === "rod") p.bar(at(s.corners[0]), at(s.corners[1]), colour, Math.max(0.26 * u, 1.6), many ? 1 : 0);
    else if (s.type === "mass") p.ball(at(s.at), 0.72 * u, colour, theme.ink, 0.5);
    else if (s.type === "ball") {
      const place = at(s.at);
      p.ball(place, s.radius * u / p.metres(place), colour, colour, 0);
    } else if (s.type === "solid") p.solid(s.corners.map(at), s.faces, s.sharp, colour, colour, 0);
    else if (s.type === "slab") { // under everything, or over it for who looks from the forbidden side
      if (look.ghost) return;
      const under = V.dot(motion.turn(s.normal), p.camera.towards) < 0;
      p.slab(s.corners.map(at), theme.mix(theme.grey, 0.6), theme.grey, under);
    }
    else if (s.type === "sheet") sheet(p, s.corners.map(at), colour, look);
    else if (s.type === "center" && look.centers) {
      const f = p.flat(at(s.at));
      p.put(f[2], 2, (c) => S.center(c, f[0], f[1], colour, u));
    }
  }

  function sheet(p, corners, colour, look) {
    let n = V.cross(V.sub(corners[1], corners[0]), V.sub(corners[2], corners[0]));
    if (V.dot(n, p.camera.towards) < 0) n = n.map((x) => -x);
    const flat = corners.map((x) => p.flat(x)), tint = p.tint(colour, n), { u } = look;
    const z = flat.reduce((sum, f) => sum + f[2], 0) / flat.length, edge = Math.max(0.13 * u, 1);
    p.put(z, 0, (c) => {
      S.polygon(c, flat, tint, colour, 0.86 * u);
      S.polygon(c, flat, tint, look.theme.mix(colour, 0.7), 0.86 * u - 2 * edge);
    });
  }

  // ------------------------------------------------------------------------------------------------ joints
  const seat = (motion, s) => ({ at: motion.at(s.at), axis: V.unit(motion.turn(s.axis)), other: V.unit(motion.turn(s.other)),
    side: V.unit(motion.turn(s.side)), ways: s.bodies.map((w) => motion.turn(w)) });

  function axisLine(p, at, axis, m, from, to, look) {
    for (const way of [1, -1]) {
      p.line([V.add(at, axis, way * from * m), V.add(at, axis, way * to * m)], 0, look.theme.grey, 1.1, DASHES);
    }
  }

  // A pedestal below a place; above or beside it where bodies are below over most of the motion. It does not jump.
  function ground(p, motion, s, at, look) {
    if (look.ghost) return;
    const f = p.flat(at), { theme, u } = look, down = foot(p, motion, s), along = [down[1], -down[0]];
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

  function hinge(p, motion, s, look) {
    const { at, axis } = seat(motion, s), m = p.metres(at);
    if (s.grounded) ground(p, motion, s, at, look);
    if (p.plain) return p.stub(at, axis, 0.5 * m, 0.95 * m, look.theme.steel, look.theme.ink);
    axisLine(p, at, axis, m, 0.95, 2.3, look);
    p.cylinder(at, axis, 0.5 * m, 0.95 * m, look.theme.steel, look.theme.ink, 0.4);
  }

  function sleeve(p, motion, s, look) {
    const { at, axis } = seat(motion, s), m = p.metres(at), { theme } = look;
    if (s.grounded) ground(p, motion, s, at, look);
    axisLine(p, at, axis, m, 1.8, 3.2, look);
    p.cylinder(at, axis, 0.24 * m, 1.75 * m, theme.case, theme.ink, 0.3);
    p.cylinder(at, axis, 0.52 * m, (s.type === "thread" ? 0.6 : 0.85) * m, theme.steel, theme.ink, 0.45);
    if (s.type !== "thread") return;
    const [a, b] = V.across(axis);
    for (const way of [-1, 1]) for (let k = 0; k < 4; k++) {
      const ring = [];
      for (let i = 0; i <= 12; i++) {
        const q = 2 * Math.PI * i / 12, rise = (0.78 + 0.3 * k) * way + (i / 12 - 0.5) * 0.3 * (s.hand || 1);
        ring.push([0, 1, 2].map((j) => at[j] + m * (rise * axis[j] + 0.3 * (Math.cos(q) * a[j] + Math.sin(q) * b[j]))));
      }
      const front = ring.filter((x) => V.dot(V.sub(x, at), p.camera.towards) > rise0(axis, x, at, p));
      if (front.length > 2) p.line(front, 0.45, theme.ink, 1);
    }
  }

  const rise0 = (axis, x, at, p) => V.dot(axis, V.sub(x, at)) * V.dot(axis, p.camera.towards);

  function rail(p, motion, s, at, axis, look) {
    if (look.ghost) return;
    const start = motion.at(s.start), m = p.metres(start), { theme, u } = look;
    let a = p.flat(V.add(start, axis, s.travel[0] - 2.6 * m)), b = p.flat(V.add(start, axis, s.travel[1] + 2.6 * m));
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (length < 0.5 * u) return;
    let n = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length];
    if (n[1] < 0) { [a, b] = [b, a]; n = [-n[0], -n[1]]; }
    p.put((a[2] + b[2]) / 2, -1, (c) => {
      S.line(c, [a, b], theme.grey, 1.1, DASHES);
      S.hatched(c, ...[a, b].map((x) => [x[0] + 0.75 * u * n[0], x[1] + 0.75 * u * n[1]]), u, theme.ink);
    });
  }

  function slide(p, motion, s, look) {
    const { at, axis, side } = seat(motion, s), m = p.metres(at);
    if (s.grounded) rail(p, motion, s, at, axis, look); else axisLine(p, at, axis, m, 1.2, 3, look);
    p.box(at, [axis, side, V.cross(axis, side)], [2.4 * m, 1.3 * m, 1.3 * m], look.theme.steel, look.theme.ink, 0.4);
  }

  function slot(p, motion, s, look) {
    const { at, axis } = seat(motion, s), m = p.metres(at);
    if (s.grounded) rail(p, motion, s, at, axis, look);
    else p.line([V.add(at, axis, -2.6 * m), V.add(at, axis, 2.6 * m)], -0.2, look.theme.grey, 1.1, DASHES);
    p.ball(at, 0.58 * look.u, look.theme.steel, look.theme.ink, 0.5);
  }

  function ball(p, motion, s, look) {
    const { at } = seat(motion, s);
    if (s.grounded) ground(p, motion, s, at, look);
    p.ball(at, 0.58 * look.u, look.theme.steel, look.theme.ink, 0.5);
  }

  // A Hooke joint: a cross, and a fork of each body that holds its own axis.
  function cross(p, motion, s, look) {
    const { at, axis, other, ways } = seat(motion, s), m = p.metres(at), { theme, u, ink } = look;
    if (s.grounded) ground(p, motion, s, at, look);
    [axis, other].forEach((e, k) => {
      const colour = ink(s.colours[k]);
      const arm = V.add(ways[k], e, -V.dot(ways[k], e)), size = Math.hypot(...arm);
      for (const end of [1, -1]) {
        const tip = V.add(at, e, end * 1.45 * m);
        p.line([at, tip], 0.3, theme.ink, 0.3 * u);
        if (size > 1e-9 * m) {
          const bent = [];
          for (let i = 0; i <= 12; i++) {
            const q = Math.PI * i / 24;
            bent.push(V.add(V.add(at, e, end * 1.45 * m * Math.cos(q)), arm, 2.1 * m * Math.sin(q) / size));
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
    p.ball(at, 0.34 * u, theme.steel, theme.ink, 0.4);
  }

  function floor(p, motion, s, look) {
    const { at, axis, side } = seat(motion, s), m = p.metres(at), v = V.cross(axis, side), { theme, ink } = look;
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => V.add(V.add(at, side, 2.6 * a * m), v, 2.6 * b * m));
    const flat = corners.map((x) => p.flat(x)), colour = s.grounded ? theme.grey : ink(s.colours[0]);
    p.put(flat.reduce((sum, f) => sum + f[2], 0) / 4, -0.5, (c) => S.polygon(c, flat, theme.mix(colour, 0.8), colour, 1));
    p.line([at, V.add(at, axis, 2.3 * m)], 0, theme.grey, 1.1, DASHES);
    if (s.type === "disc on a plane") p.cylinder(at, axis, 0.75 * m, 0.16 * m, theme.steel, theme.ink, 0.4);
    else p.ball(at, 0.5 * look.u, theme.steel, theme.ink, 0.5);
  }

  function weld(p, motion, s, look) {
    const f = p.flat(motion.at(s.at)), r = 0.34 * look.u;
    p.put(f[2], 0.5, (c) => S.polygon(c, [[f[0] - r, f[1] - r], [f[0] + r, f[1] - r], [f[0] + r, f[1] + r], [f[0] - r, f[1] + r]], look.theme.ink));
  }

  function link(p, motion, s, look) {
    const ends = s.ends.map((e) => motion.at(e));
    p.bar(ends[0], ends[1], look.theme.ink, Math.max(0.24 * look.u, 1.6));
    ends.forEach((at, k) => {
      if (s.grounded[k]) ground(p, motion, s, at, look);
      if (k === 0 && s.axis) p.cylinder(at, V.unit(motion.turn(s.axis)), 0.45 * p.metres(at), 0.8 * p.metres(at), look.theme.steel, look.theme.ink, 0.4);
      else p.ball(at, 0.45 * look.u, look.theme.steel, look.theme.ink, 0.5);
    });
  }

  function springs(p, motion, s, look) {
    const [a, b] = s.ends.map((e) => p.flat(motion.at(e)));
    p.put((a[2] + b[2]) / 2, 0.3, (c) => S.springs(c, a, b, s.signs, look.u, look.theme));
  }

  function turning(p, motion, s, look) {
    if (look.ghost) return;
    const at = motion.at(s.at), axis = V.unit(motion.turn(s.axis)), m = p.metres(at), colour = look.theme.reaction;
    const side = V.dot(motion.turn(s.away), axis) > 0 ? -1 : 1, [a, b] = V.across(axis), arc = [];
    for (let i = 0; i <= 24; i++) {
      const q = 2 * Math.PI * (0.1 + 0.72 * i / 24);
      arc.push([0, 1, 2].map((k) => at[k] + m * (side * 1.9 * axis[k] + 1.3 * (Math.cos(q) * a[k] + Math.sin(q) * b[k]))));
    }
    for (let k = 0; k < 24; k += 6) p.line(arc.slice(k, k + 7), 0, colour, Math.max(0.15 * look.u, 1.3));
    const end = p.flat(arc[24]), back = p.flat(arc[21]), n = Math.hypot(end[0] - back[0], end[1] - back[1]) || 1;
    const e = [(end[0] - back[0]) / n, (end[1] - back[1]) / n];
    p.put(end[2], 0.3, (c) => S.arrow(c, [end[0] - 0.2 * look.u * e[0], end[1] - 0.2 * look.u * e[1]], [end[0] + 0.8 * look.u * e[0], end[1] + 0.8 * look.u * e[1]], colour, Math.max(0.24 * look.u, 2)));
  }

  function pushing(p, motion, s, look) {
    if (look.ghost) return;
    const at = motion.at(s.at), axis = V.unit(motion.turn(s.axis)), m = p.metres(at);
    const a = p.flat(V.add(at, axis, 1.4 * m)), b = p.flat(V.add(at, axis, 3.6 * m));
    p.put(a[2], 0.6, (c) => S.arrow(c, a, b, look.theme.reaction, Math.max(0.16 * look.u, 1.5)));
  }

  function point(p, motion, s, look) {
    const f = p.flat(motion.at(s.at));
    if (s.type === "ground") ground(p, motion, s, motion.at(s.at), look);
    p.put(f[2], 0.6, (c) => S.point(c, f[0], f[1], look.theme, look.u));
  }

  function lock(p, motion, s, look) {
    if (look.ghost) return;
    const flat = s.ends.map((x) => p.flat(motion.at(x)));
    p.put(Math.max(...flat.map((f) => f[2])), 3, (c) => B.drawLock(c, motion, s, (x) => p.flat(x), 0, look.u, look.theme));
  }

  // Joints by the words that their files in model/joints say; then all that is no joint.
  const SIGNS = { hinge, slide, sleeve, thread: sleeve, ball, cross, "disc on a plane": floor, "ball on a plane": floor,
    slot, weld, link, springs, turning, pushing, point, ground: point, lock };
})(globalThis.BielaPlayer);
