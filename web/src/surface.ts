/** Triangles whose corners are split where the surface has an edge, so that faces look flat and rounds look round. */

const creaseCosine = 0.6;

export interface SplitSurface {
  /** Which point each corner is. */
  pointOf: Uint32Array;
  /** Triangles of corners. */
  index: Uint32Array;
}

function faceNormals(x: ArrayLike<number>, triangles: ArrayLike<number>): Float32Array {
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const ux = x[b] - x[a];
    const uy = x[b + 1] - x[a + 1];
    const uz = x[b + 2] - x[a + 2];
    const vx = x[c] - x[a];
    const vy = x[c + 1] - x[a + 1];
    const vz = x[c + 2] - x[a + 2];
    normals[t] = uy * vz - uz * vy;
    normals[t + 1] = uz * vx - ux * vz;
    normals[t + 2] = ux * vy - uy * vx;
  }
  return normals;
}

/** Whether each edge is met in both directions as often: a surface with an inside. */
export function isClosed(triangles: Uint32Array): boolean {
  const open = new Map<number, number>();
  const points = triangles.reduce((most, point) => Math.max(most, point), 0) + 1;
  for (let i = 0; i < triangles.length; ++i) {
    const a = triangles[i];
    const b = triangles[i % 3 === 2 ? i - 2 : i + 1];
    const edge = Math.min(a, b) * points + Math.max(a, b);
    const count = (open.get(edge) ?? 0) + (a < b ? 1 : -1);
    if (count === 0) open.delete(edge);
    else open.set(edge, count);
  }
  return open.size === 0;
}

export function splitAtCreases(x: ArrayLike<number>, triangles: Uint32Array): SplitSurface {
  const normals = faceNormals(x, triangles);
  for (let t = 0; t < normals.length; t += 3) {
    const length = Math.hypot(normals[t], normals[t + 1], normals[t + 2]) || 1;
    for (let a = 0; a < 3; ++a) normals[t + a] /= length;
  }
  // The corners made so far of each point, each with the normal of the first triangle that has it.
  const corners = new Map<number, { corner: number; normal: number }[]>();
  const pointOf: number[] = [];
  const index = new Uint32Array(triangles.length);
  for (let i = 0; i < triangles.length; ++i) {
    const point = triangles[i];
    const normal = i - (i % 3);
    let list = corners.get(point);
    if (!list) corners.set(point, (list = []));
    let found = list.find(
      (c) =>
        normals[c.normal] * normals[normal] +
          normals[c.normal + 1] * normals[normal + 1] +
          normals[c.normal + 2] * normals[normal + 2] >
        creaseCosine,
    );
    if (!found) {
      found = { corner: pointOf.length, normal };
      pointOf.push(point);
      list.push(found);
    }
    index[i] = found.corner;
  }
  return { pointOf: Uint32Array.from(pointOf), index };
}

/** Normals of the corners, weighted by area. */
export function writeNormals(x: Float32Array, index: Uint32Array, out: Float32Array): void {
  const normals = faceNormals(x, index);
  out.fill(0);
  for (let i = 0; i < index.length; ++i) {
    const t = i - (i % 3);
    for (let a = 0; a < 3; ++a) out[3 * index[i] + a] += normals[t + a];
  }
  for (let i = 0; i < out.length; i += 3) {
    const length = Math.hypot(out[i], out[i + 1], out[i + 2]) || 1;
    for (let a = 0; a < 3; ++a) out[i + a] /= length;
  }
}
