import { Box3, Vector3 } from "three";
import { Mesh, Tables } from "./replay";
import { BodyHead } from "./source";

/** Of all places of all bodies at all times: what is farther from the quartiles than so many times their range has run away. */
const fence = 1.5;
/** So few bodies are shown on all of their way, if they stay. */
const fewBodies = 4;
/** A body has run away that was farther from the others than so many times the size of where they are. */
const severalSizes = 4;
/** Obstacles up to so many times as large as what moves around them are where it belongs: a table, not the earth. */
const sizesOfObstacle = 10;
const placesOfBody = 60;

export function boxOf(body: BodyHead): Box3 | null {
  return body.box && new Box3(new Vector3(...body.box.slice(0, 3)), new Vector3(...body.box.slice(3)));
}

interface Place {
  x: Vector3;
  reach: Vector3;
}

/** Where a body is over time, and how far it reaches around there. */
function placesOf(i: number, body: BodyHead, mesh: Mesh | undefined, tables: Tables): Place[] {
  const box = boxOf(body);
  if (!box) return [];
  const track = tables.tracks[i];
  const own = mesh && mesh.vertices.length > 0 ? farthest(mesh.vertices) : null;
  const rows = track?.time.length ?? 0;
  if (rows === 0 || body.coding === "cloud") {
    const all = body.usual ? new Box3(new Vector3(...body.usual.slice(0, 3)), new Vector3(...body.usual.slice(3))) : box;
    const place = { x: all.getCenter(new Vector3()), reach: all.getSize(new Vector3()).multiplyScalar(0.5) };
    return new Array<Place>(placesOfBody).fill(place);
  }
  const way = new Box3();
  const x: Vector3[] = [];
  for (let k = 0; k < placesOfBody; ++k) {
    const row = Math.round(((rows - 1) * k) / (placesOfBody - 1));
    x.push(new Vector3(track.x[0][row], track.x[1][row], track.x[2][row]));
    way.expandByPoint(x[k]);
  }
  // Without a shape of its own: what its box is larger than its way.
  const reach = own
    ? new Vector3(own, own, own)
    : box.getSize(new Vector3()).sub(way.getSize(new Vector3())).multiplyScalar(0.5).max(new Vector3());
  return x.map((place) => ({ x: place, reach }));
}

function farthest(vertices: Float32Array): number {
  let square = 0;
  for (let i = 0; i < vertices.length; i += 3) square = Math.max(square, vertices[i] ** 2 + vertices[i + 1] ** 2 + vertices[i + 2] ** 2);
  return Math.sqrt(square);
}

function boxOfPlaces(places: Place[]): Box3 {
  const box = new Box3();
  for (const { x, reach } of places) box.expandByPoint(x.clone().add(reach)).expandByPoint(x.clone().sub(reach));
  return box;
}

const sizeOf = (box: Box3) => (box.isEmpty() ? 0 : box.getSize(new Vector3()).length());

/** The bodies (their places over time) that do not run away: those near where all began, then those near them, and so on. All, if none stays. */
function staying(bodies: Place[][], obstacles: Box3[]): Place[][] {
  const home = boxOfPlaces(bodies.map((places) => places[0]));
  const start = sizeOf(home);
  for (const box of obstacles) if (sizeOf(box) < sizesOfObstacle * start) home.union(box);
  const farthest = (places: Place[]) => places.reduce((most, { x }) => Math.max(most, home.distanceToPoint(x)), 0);
  const stay: Place[][] = [];
  const reached = home.clone();
  for (const { places, way } of bodies.map((places) => ({ places, way: farthest(places) })).sort((a, b) => a.way - b.way)) {
    if (way > severalSizes * sizeOf(reached)) break;
    reached.union(boxOfPlaces(places));
    stay.push(places);
  }
  return stay.length > 0 ? stay : bodies;
}

/** The box of all places but those far from where bodies usually are. */
function usualBox(bodies: Place[][]): Box3 {
  const places = bodies.flat();
  if (bodies.length <= fewBodies) return boxOfPlaces(places);
  const low = new Vector3();
  const high = new Vector3();
  for (const a of [0, 1, 2]) {
    const sorted = Float64Array.from(places, (p) => p.x.getComponent(a)).sort();
    const at = (part: number) => sorted[Math.round(part * (sorted.length - 1))];
    const reach = Float64Array.from(places, (p) => p.reach.getComponent(a)).sort()[places.length >> 1];
    const room = fence * (at(0.75) - at(0.25)) + 4 * reach;
    low.setComponent(a, at(0.25) - room);
    high.setComponent(a, at(0.75) + room);
  }
  const fences = new Box3(low, high);
  return boxOfPlaces(places.filter(({ x }) => fences.containsPoint(x)));
}

/** What there is to look at: what moves, without run-aways, and obstacles that are not much larger. */
export function contentBox(bodies: BodyHead[], meshes: Map<number, Mesh>, tables: Tables): Box3 {
  const moving = bodies.map((body, i) => (body.kind === "obstacle" ? [] : placesOf(i, body, meshes.get(i), tables))).filter((places) => places.length > 0);
  const stay = staying(moving, boxesOfObstacles(bodies.filter(({ plane }) => !plane)));
  return withObstacles(stay.length > 0 ? usualBox(stay) : new Box3(), boxesOfObstacles(bodies));
}

/** All that moves, wherever it went, and obstacles that are not much larger. */
export function wholeBox(bodies: BodyHead[]): Box3 {
  const content = new Box3();
  for (const body of bodies) if (body.kind !== "obstacle" && body.box) content.union(boxOf(body)!);
  return withObstacles(content, boxesOfObstacles(bodies));
}

function boxesOfObstacles(bodies: BodyHead[]): Box3[] {
  return bodies.filter((body) => body.kind === "obstacle" && body.box).map((body) => boxOf(body)!);
}

function withObstacles(content: Box3, obstacles: Box3[]): Box3 {
  if (content.isEmpty()) for (const box of obstacles) content.union(box);
  if (content.isEmpty()) content.set(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
  const size = sizeOf(content);
  for (const box of obstacles) if (sizeOf(box) < 1.6 * size) content.union(box);
  const least = 1e-3 * (size || 1);
  const thin = content.getSize(new Vector3()).toArray().map((s) => (s < least ? least : 0));
  return content.expandByVector(new Vector3(...thin));
}
