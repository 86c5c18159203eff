// SPDX-License-Identifier: MPL-2.0
// The numbers in the page: base64 of gzip of differences in planes of bytes (src/export/pack.h tells how).

const NONE = 65535;

/** The bytes of the element with this id. */
export async function unpack(id) {
  const letters = atob(document.getElementById(id).textContent);
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < packed.length; i++) packed[i] = letters.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** `count` whole numbers of two or four bytes that begin at `at`. */
export function readWhole(bytes, at, count, width) {
  const out = width === 2 ? new Uint16Array(count) : new Uint32Array(count);
  for (let i = 0, before = 0; i < count; i++) {
    let folded = 0;
    for (let k = 0; k < width; k++) folded |= bytes[at + k * count + i] << (8 * k);
    out[i] = before + ((folded >>> 1) ^ -(folded & 1));
    before = out[i];
  }
  return out;
}

/** Column `k` of a block of points, as floats; NaN where there is no number. */
export function readColumn(bytes, count, k) {
  const at = 4 + k * (16 + 2 * count), view = new DataView(bytes.buffer, bytes.byteOffset + at);
  const low = view.getFloat64(0, true), step = view.getFloat64(8, true);
  const codes = readWhole(bytes, at + 16, count, 2), out = new Float32Array(count);
  for (let i = 0; i < count; i++) out[i] = codes[i] === NONE ? NaN : low + step * codes[i];
  return out;
}

export function readCount(bytes, at) {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
}
