// Numbers as they come: base64 text of 32-bit floats, or arrays that are there already.
(function (B) {
  "use strict";

  B.numbers = function (packed) {
    if (packed instanceof Float32Array || packed instanceof Float64Array) return packed;
    if (packed instanceof ArrayBuffer) return new Float32Array(packed);
    if (Array.isArray(packed)) return Float32Array.from(packed);
    const raw = atob(packed || "");
    const bytes = new Uint8Array(raw.length);
    for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
    return new Float32Array(bytes.buffer);
  };

  // The last index whose value is not above x, in an ascending array.
  B.before = function (values, x) {
    let low = 0, high = values.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (values[middle] <= x) low = middle; else high = middle - 1;
    }
    return low;
  };

  // A number as people write it: short, with a real minus sign.
  B.say = function (x, digits) {
    if (!isFinite(x)) return "–";
    if (x === 0) return "0";
    const size = Math.abs(x);
    let text = size >= 1e5 || size < 1e-3 ? x.toExponential(Math.max(0, (digits || 4) - 1)) : String(Number(x.toPrecision(digits || 4)));
    if (text.includes("e")) text = text.replace(/\.?0+e/, "e").replace("e+", "e");
    else if (text.includes(".")) text = text.replace(/\.?0+$/, "");
    return text.replace(/-/g, "\u2212");
  };

  // 1, 2 or 5 times a power of ten, not above x.
  B.round = function (x) {
    const power = Math.pow(10, Math.floor(Math.log10(x)));
    const k = x / power;
    return (k >= 5 ? 5 : k >= 2 ? 2 : 1) * power;
  };
})(globalThis.BielaPlayer = globalThis.BielaPlayer || {});
