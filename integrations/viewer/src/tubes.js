// SPDX-License-Identifier: MPL-2.0
// Round tubes along polylines.
import { Vector3 } from 'three';

const SIDES = 7;

/** Mesh of all polylines: `from` is the point of the line that each of its points belongs to. */
export function tubes(points, radius, { corners, ends }) {
  const position = new Float32Array(3 * SIDES * corners.length), normal = new Float32Array(position.length);
  const from = new Uint32Array(SIDES * corners.length), index = [];
  const at = (k, out) => out.fromArray(points, 3 * corners[k]);
  const before = new Vector3(), here = new Vector3(), after = new Vector3(), along = new Vector3(), side = new Vector3(), other = new Vector3(), out = new Vector3();
  for (let line = 0, begin = 0; line < ends.length; begin = ends[line++]) {
    side.set(0, 0, 0);
    for (let k = begin; k < ends[line]; k++) {
      at(k, here);
      along.subVectors(at(Math.min(k + 1, ends[line] - 1), after), at(Math.max(k - 1, begin), before));
      if (along.lengthSq() === 0) along.set(0, 0, 1);
      along.normalize();
      // The frame is carried along the line with as little twist as can be.
      side.addScaledVector(along, -side.dot(along));
      if (side.lengthSq() < 1e-12) side.set(along.y, along.z, along.x).cross(along);
      if (side.lengthSq() < 1e-12) side.set(1, 0, 0).cross(along);
      side.normalize();
      other.crossVectors(along, side);
      for (let s = 0; s < SIDES; s++) {
        const v = SIDES * k + s, turn = 2 * Math.PI * s / SIDES;
        out.copy(side).multiplyScalar(Math.cos(turn)).addScaledVector(other, Math.sin(turn)).toArray(normal, 3 * v);
        out.multiplyScalar(radius[corners[k]]).add(here).toArray(position, 3 * v);
        from[v] = corners[k];
        if (k === begin) continue;
        const next = SIDES * k + (s + 1) % SIDES;
        index.push(v - SIDES, next - SIDES, v, next - SIDES, next, v);
      }
    }
  }
  return { position, normal, from, index };
}
