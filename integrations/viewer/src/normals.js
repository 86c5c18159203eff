// SPDX-License-Identifier: MPL-2.0
// Normals of solids: smooth, but for edges where faces turn by more than an angle.

/** Across each triangle, twice its area long. */
function faceNormals(points, corners) {
  const out = new Float32Array(corners.length);
  for (let t = 0; t < corners.length; t += 3) {
    const [a, b, c] = [3 * corners[t], 3 * corners[t + 1], 3 * corners[t + 2]];
    const ux = points[b] - points[a], uy = points[b + 1] - points[a + 1], uz = points[b + 2] - points[a + 2];
    const vx = points[c] - points[a], vy = points[c + 1] - points[a + 1], vz = points[c + 2] - points[a + 2];
    out[t] = uy * vz - uz * vy;
    out[t + 1] = uz * vx - ux * vz;
    out[t + 2] = ux * vy - uy * vx;
  }
  return out;
}

/** The triangles around each point: first[i] .. first[i + 1] of `around`. */
function trianglesAround(count, corners) {
  const first = new Uint32Array(count + 1), around = new Uint32Array(corners.length);
  for (const i of corners) first[i + 1]++;
  for (let i = 0; i < count; i++) first[i + 1] += first[i];
  const next = first.slice();
  corners.forEach((i, k) => { around[next[i]++] = Math.floor(k / 3); });
  return { first, around };
}

/** A unit normal a corner: the mean of those triangles around its point that turn by less than the angle. */
export function creasedNormals(points, corners, angle) {
  const face = faceNormals(points, corners), { first, around } = trianglesAround(points.length / 3, corners);
  const out = new Float32Array(3 * corners.length), least = Math.cos(angle);
  const length = (t) => Math.hypot(face[3 * t], face[3 * t + 1], face[3 * t + 2]) || 1;
  for (let k = 0; k < corners.length; k++) {
    const own = Math.floor(k / 3), size = length(own);
    let x = 0, y = 0, z = 0;
    for (let n = first[corners[k]]; n < first[corners[k] + 1]; n++) {
      const t = around[n];
      const dot = face[3 * own] * face[3 * t] + face[3 * own + 1] * face[3 * t + 1] + face[3 * own + 2] * face[3 * t + 2];
      if (dot < least * size * length(t)) continue;
      x += face[3 * t];
      y += face[3 * t + 1];
      z += face[3 * t + 2];
    }
    const sum = Math.hypot(x, y, z) || 1;
    out.set([x / sum, y / sum, z / sum], 3 * k);
  }
  return out;
}
