// A mechanism of the plane.
(function (B) {
  "use strict";
  const S = B.signs, SHEETS = ["outline", "disc", "plate"], LINKS = ["bar", "rod"];

  // style: {theme, u, ink(colour index) -> colour}
  B.drawPlane = function (c, camera, motion, style) {
    const { theme, u, ink } = style, { shapes, signs } = motion.result;
    const xy = (p) => { const at = camera.project(p); return [at.x, at.y]; };
    const way = (w) => {
      const a = motion.at(w[0]), b = motion.at(w[1]), n = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      return [(b[0] - a[0]) / n, (a[1] - b[1]) / n]; // upwards is down the screen
    };
    if (!style.ghost) {
      for (const s of signs) {
        if (s.type !== "guide") continue;
        const p = xy(motion.at(s.at)), k = camera.scale;
        S.guide(c, p[0], p[1], way(s.way), [s.travel[0] * k - 2.6 * u, s.travel[1] * k + 2.6 * u], u, theme, Math.max(s.away || 0, 0.66));
      }
    }
    const put = (kinds) => {
      for (const kind of kinds) for (const s of shapes) if (s.type === kind) shape(c, xy, motion, s, ink(s.colour), camera, style);
    };
    put(SHEETS);
    if (!style.ghost) {
      for (const s of signs) if (s.type === "ground") S.ground(c, ...xy(motion.at(s.at)), theme, u);
      for (const s of signs) if (STOPS[s.type]) STOPS[s.type](c, motion, s, { xy, way, scale: camera.scale, theme, u, ink });
    }
    put(LINKS);
    for (const s of shapes) if (s.type === "stalk" && style.centers) stalk(c, s.corners.map((p) => xy(motion.local(s.frame, p, 0))), ink(s.colour), u);
    if (style.paths) style.paths();
    for (const s of signs) {
      if (s.type === "springs") S.springs(c, xy(motion.at(s.ends[0])), xy(motion.at(s.ends[1])), s, u, theme, style.ghost ? null : s.walls);
    }
    for (const s of signs) {
      if (s.parts) S.parts(c, xy(motion.at(s.at)), way(s.way), s.parts, u, theme, s.colour >= 0 ? ink(s.colour) : null);
      else if (s.type === "rod") S.rod(c, s.ends.map((p) => xy(motion.at(p))), theme.ink, u);
    }
    for (const s of shapes) if (s.type === "mass") shape(c, xy, motion, s, ink(s.colour), camera, style);
    if (style.centers) for (const s of shapes) if (s.type === "center") S.center(c, ...xy(motion.local(s.frame, s.at, 0)), ink(s.colour), u);
    for (const s of signs) {
      if (s.type === "turning" && !style.ghost) S.turning(c, ...xy(motion.at(s.at)), u, theme.reaction);
      else if (s.type === "pin" || s.type === "ground") S.pin(c, ...xy(motion.at(s.at)), theme, u);
      else if (s.type === "point") S.point(c, ...xy(motion.at(s.at)), theme, u);
    }
    if (!style.ghost) for (const s of signs) if (s.type === "lock") B.drawLock(c, motion, s, xy, camera.scale, u, theme);
  };

  B.drawLock = function (c, motion, s, xy, scale, u, theme) {
    const [a, b] = s.ends.map((p) => xy(motion.at(p))), closed = s.closed.some(([from, to]) => from <= motion.time && motion.time < to);
    if (b) S.clutch(c, a, b, s.rims.map((r) => r * scale), u, theme, closed); else S.brake(c, a[0], a[1], u, theme, closed);
  };

  const STOPS = {
    wall(c, motion, s, { xy, scale, theme, u }) {
      const p = xy(motion.at(s.at)), v = motion.turn(s.normal), n = [v[0], -v[1]];
      const [low, high] = s.reach || [0, 0], more = (s.reach ? 6 : 2.2) * u;
      S.wall(c, [p[0] + s.clear * u * n[0], p[1] + s.clear * u * n[1]], n, [low * scale - more, high * scale + more], u, theme.ink);
    },
    stop(c, motion, s, { xy, way, scale, theme, u, ink }) {
      const e = way(s.way), k = Math.cos(s.turn), q = Math.sin(s.turn); // anticlockwise, upwards down the screen
      const arm = [k * e[0] + q * e[1], k * e[1] - q * e[0]];
      S.stop(c, xy(motion.at(s.at)), arm, Math.max(s.radius * scale, 2.6 * u), s.side, u, theme, s.colour >= 0 ? ink(s.colour) : null);
    },
    reach(c, motion, s, { xy, scale, theme, u }) {
      S.reach(c, ...s.ends.map((p) => xy(motion.at(p))), s.radius * scale, s.side, u, theme.ink);
    },
  };

  function shape(c, xy, motion, s, colour, camera, style) {
    const { theme, u } = style;
    if (s.type === "mass") return S.mass(c, ...xy(motion.local(s.frame, s.at, 0)), colour, theme, u);
    if (s.type === "disc") {
      const [x, y] = xy(motion.local(s.frame, s.at, 0));
      S.circle(c, x, y, s.radius * camera.scale, theme.mix(colour, 0.82), colour, Math.max(0.13 * u, 1));
      const rim = xy(motion.local(s.frame, [s.at[0] + s.radius, s.at[1]], 0)); // shows how it turns
      return S.line(c, [[x + 0.72 * (rim[0] - x), y + 0.72 * (rim[1] - y)], rim], colour, Math.max(0.13 * u, 1));
    }
    const points = s.corners.map((p) => xy(motion.local(s.frame, p, 0)));
    if (style.several && points.length > 2 && s.type !== "rod") { // what is behind stays to be seen
      c.globalAlpha *= 0.3;
      S.polygon(c, points, colour);
      c.globalAlpha /= 0.3;
      S.polygon(c, points, null, colour, Math.max(0.2 * u, 1.5));
    } else if (s.type === "outline") S.polygon(c, points, theme.mix(colour, 0.82), colour, Math.max(0.13 * u, 1));
    else if (s.type === "rod") S.rod(c, points, colour, u);
    else if (points.length === 2) S.bar(c, points[0], points[1], colour, theme, u);
    else S.plate(c, points, colour, theme, u);
  }

  // To a centre of mass beside its bar.
  function stalk(c, ends, colour, u) {
    if (Math.hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]) > 0.5 * u) S.line(c, ends, colour, 1.1, [3, 2]);
  }

  // A sheet with lines at round lengths, and a length to measure by.
  B.drawGrid = function (c, camera, theme) {
    const step = B.round(Math.min(camera.width, camera.height) / 5 / camera.scale);
    const a = camera.toWorld(0, camera.height), b = camera.toWorld(camera.width, 0);
    c.beginPath();
    for (let x = Math.ceil(a[0] / step) * step; x <= b[0]; x += step) {
      const px = Math.round(camera.project([x, 0]).x) + 0.5;
      c.moveTo(px, 0); c.lineTo(px, camera.height);
    }
    for (let y = Math.ceil(a[1] / step) * step; y <= b[1]; y += step) {
      const py = Math.round(camera.project([0, y]).y) + 0.5;
      c.moveTo(0, py); c.lineTo(camera.width, py);
    }
    c.strokeStyle = theme.grid; c.lineWidth = 1;
    c.stroke();
  };

  B.drawScale = function (c, camera, theme) {
    const metres = B.round(Math.max(camera.width / 5, 40) / camera.scale), w = metres * camera.scale;
    const x = camera.width - 16, y = camera.height - 14;
    S.line(c, [[x - w, y - 4], [x - w, y], [x, y], [x, y - 4]], theme.grey, 1.4);
    S.text(c, B.length(metres), x - w / 2, y - 12, theme.grey, theme, "center", 11.5, "500");
  };

  B.length = function (metres) {
    if (metres >= 1000) return B.say(metres / 1000) + " km";
    if (metres >= 1) return B.say(metres) + " m";
    if (metres >= 1e-3) return B.say(metres * 1e3) + " mm";
    if (metres >= 1e-6) return B.say(metres * 1e6) + " µm";
    return B.say(metres * 1e9) + " nm";
  };
})(globalThis.BielaPlayer);
