import { ArrayReader, Chunk, openChunk, Prediction, takeDifferences } from "./codec";
import { Head, Source, Vector } from "./source";

export interface Mesh {
  triangles: Uint32Array;
  /** In the body's own frame; empty for bodies whose points come with each frame. */
  vertices: Float32Array;
}

/** Points of one body at one time; x = min + step q. */
export interface PointFrame {
  count: number;
  q: Uint16Array;
  min: Vector;
  step: Vector;
  /** By which a sphere is known in all frames; null: it has the same row in each. */
  numbers: Uint32Array | null;
  speed: Float32Array | null;
  stress: Float32Array | null;
}

export function numberOf({ numbers }: PointFrame, row: number): number {
  return numbers ? numbers[row] : row;
}

/** The row of the point with this number, -1 where it is not there. */
export function rowOf({ numbers, count }: PointFrame, number: number): number {
  return numbers ? numbers.indexOf(number) : number < count ? number : -1;
}

/** x, y, z, qw, qx, qy, qz */
export type Pose = Float32Array;

export interface BodyFrame {
  pose: Pose | null;
  points: PointFrame | null;
  radius: Float32Array | null;
}

export interface Contacts {
  count: number;
  x: Float32Array;
  force: Float32Array;
  normal: Float32Array;
  depth: Float32Array;
  sticks: Uint8Array;
  /** Bodies in the order of the scene, -1 unknown. */
  pointBody: Int32Array;
  surfaceBody: Int32Array;
  /** Point of the point body, by its row; -1 unknown. */
  point: Int32Array;
}

export interface Frame {
  number: number;
  time: number;
  bodies: BodyFrame[];
  contacts: Contacts;
}

interface Stream {
  body: number;
  what: "pose" | "points" | "number" | "speed" | "stress" | "radius" | "contacts";
  offset: number;
  max?: number;
  min?: Vector;
  step?: Vector;
  frames: (number | { count: number; min: Vector; step: Vector; predict: Prediction })[];
}
type GroupChunk = Chunk<{ times: number[]; streams: Stream[] }>;

export interface Track {
  time: Float32Array;
  x: Float32Array[];
  v: Float32Array[];
  w: Float32Array[];
}
/** Rows of a table that belong to one name: a body, a pair, a probe, a region. */
export interface Load {
  table: "walls" | "reactions" | "pairs" | "probes" | "packing";
  of: string;
  columns: Map<string, Float32Array>;
}
export interface Tables {
  history: Map<string, Float32Array>;
  rows: number;
  /** Steps that share a pair of rows (1: each step has its own row). */
  gathered: number;
  tracks: Track[];
  loads: Load[];
}

/** What is said where contacts are missing. */
export const howToRecord = "not recorded: write output.contacts: true";

const mostCachedBytes = 400e6;

/** The frames of a run, unpacked when they are asked for. */
export class Replay {
  private readonly groups = new Map<number, { frames: Frame[]; bytes: number }>();
  private readonly waiting = new Map<number, Promise<Frame[]>>();

  private constructor(
    readonly source: Source,
    public head: Head,
    readonly meshes: Map<number, Mesh>,
    public tables: Tables,
  ) {}

  static async open(source: Source): Promise<Replay> {
    const head = await source.head();
    const [meshes, tables] = await Promise.all([readMeshes(source), readTables(source)]);
    return new Replay(source, head, meshes, tables);
  }

  /** Whether the frames tell of contacts; else nothing is known of them. */
  get hasContacts(): boolean {
    return this.head.recorded?.contacts ?? true;
  }

  get hasStress(): boolean {
    return this.head.recorded?.stress ?? true;
  }

  /** Below this a value of the unit is round-off; 0 where nothing is known of the unit. */
  roundOff(unit: string): number {
    return this.head.round_off?.[unit] ?? 0;
  }

  /** At a time. */
  get mostContacts(): number {
    return this.tables.history.get("contacts")?.reduce((most, count) => Math.max(most, count), 0) ?? 0;
  }

  get frameCount(): number {
    return this.head.times.length;
  }

  /** For a run that goes on: true when there is something new. */
  async refresh(): Promise<boolean> {
    const head = await this.source.head();
    const grown = head.times.length !== this.frameCount;
    if (!grown && head.status === this.head.status) return false;
    const last = Math.floor((this.frameCount - 1) / this.head.group);
    this.groups.delete(last); // it has more frames now
    if (this.meshes.size === 0) for (const [body, mesh] of await readMeshes(this.source)) this.meshes.set(body, mesh);
    this.tables = await readTables(this.source);
    this.head = head;
    return true;
  }

  /** The frame if it is unpacked already. */
  ready(number: number): Frame | undefined {
    return this.groups.get(Math.floor(number / this.head.group))?.frames[number % this.head.group];
  }

  async frame(number: number): Promise<Frame> {
    const group = Math.floor(number / this.head.group);
    const frames = await this.load(group);
    return frames[Math.min(number % this.head.group, frames.length - 1)];
  }

  /** Unpacks what playing on will need. */
  prefetch(number: number): void {
    const next = Math.floor(number / this.head.group) + 1;
    if (next * this.head.group < this.frameCount) void this.load(next);
  }

  private async load(group: number): Promise<Frame[]> {
    const known = this.groups.get(group);
    if (known) {
      this.groups.delete(group); // to the end: the last to be dropped
      this.groups.set(group, known);
      return known.frames;
    }
    let promise = this.waiting.get(group);
    if (!promise) {
      promise = this.unpack(group).finally(() => this.waiting.delete(group));
      this.waiting.set(group, promise);
    }
    return promise;
  }

  private async unpack(group: number): Promise<Frame[]> {
    const chunk: GroupChunk = await openChunk(await this.source.chunk(`group-${group}`));
    const frames = readGroup(chunk, group * this.head.group, this.head.bodies.length);
    this.groups.set(group, { frames, bytes: chunk.bytes.length * 1.5 });
    let total = 0;
    for (const kept of this.groups.values()) total += kept.bytes;
    for (const [oldest, kept] of this.groups) {
      if (total <= mostCachedBytes || oldest === group) break;
      this.groups.delete(oldest);
      total -= kept.bytes;
    }
    return frames;
  }
}

/** What cannot be plotted and why; empty: nothing. A run without any contact has no forces of pairs to record. */
export function notRecorded(replay: Replay): string {
  const has = replay.tables.loads.some(({ table }) => table === "pairs");
  return has || replay.mostContacts === 0 ? "" : `Forces of pairs of bodies are ${howToRecord}.`;
}

async function readMeshes(source: Source): Promise<Map<number, Mesh>> {
  interface Entry {
    body: number;
    offset: number;
    triangles: number;
    vertices: number;
  }
  const { contents, bytes } = await openChunk<{ meshes: Entry[] }>(await source.chunk("meshes"));
  const meshes = new Map<number, Mesh>();
  for (const entry of contents.meshes) {
    const reader = new ArrayReader(bytes, entry.offset);
    meshes.set(entry.body, { triangles: reader.u32(3 * entry.triangles), vertices: reader.f32(3 * entry.vertices) });
  }
  return meshes;
}

async function readTables(source: Source): Promise<Tables> {
  interface Contents {
    history: { columns: string[]; rows: number; gathered: number };
    tracks: number[];
    loads?: { table: Load["table"]; of: string; columns: string[]; rows: number }[];
  }
  const { contents, bytes } = await openChunk<Contents>(await source.chunk("tables"));
  const reader = new ArrayReader(bytes, 0);
  const { columns, rows, gathered } = contents.history;
  const history = new Map(columns.map((name) => [name, reader.f32(rows)]));
  const tracks = contents.tracks.map((count) => {
    const three = () => [reader.f32(count), reader.f32(count), reader.f32(count)];
    return { time: reader.f32(count), x: three(), v: three(), w: three() };
  });
  const loads = (contents.loads ?? []).map(({ table, of, columns: names, rows: count }) => ({
    table,
    of,
    columns: new Map(names.map((name) => [name, reader.f32(count)])),
  }));
  return { history, rows, gathered, tracks, loads };
}

function readGroup(chunk: GroupChunk, first: number, bodyCount: number): Frame[] {
  const { times, streams } = chunk.contents;
  const frames = times.map((time, i) => ({
    number: first + i,
    time,
    bodies: Array.from({ length: bodyCount }, (): BodyFrame => ({ pose: null, points: null, radius: null })),
    contacts: noContacts(),
  }));
  for (const stream of streams) {
    const reader = new ArrayReader(chunk.bytes, stream.offset);
    if (stream.what === "contacts") readContacts(stream, reader, frames);
    else if (stream.what === "pose") readPoses(stream, reader, frames);
    else if (stream.what === "points") readPoints(stream, reader, frames);
    else if (stream.what === "number") readNumbers(stream, reader, frames);
    else if (stream.what === "radius") readRadii(stream, reader, frames);
    else readBytes(stream, stream.what, reader, frames);
  }
  return frames;
}

function readPoses(stream: Stream, reader: ArrayReader, frames: Frame[]): void {
  stream.frames.forEach((shown, i) => {
    if (shown) frames[i].bodies[stream.body].pose = reader.f32(7);
  });
}

function readPoints(stream: Stream, reader: ArrayReader, frames: Frame[]): void {
  let one: Uint16Array | null = null;
  let two: Uint16Array | null = null;
  stream.frames.forEach((entry, i) => {
    if (typeof entry === "number") return;
    let q: Uint16Array | null = null;
    if (entry.count > 0) {
      q = takeDifferences(reader, entry.count, entry.predict, one, two);
      frames[i].bodies[stream.body].points = { ...entry, q, numbers: null, speed: null, stress: null };
    }
    two = one;
    one = q;
  });
}

function readNumbers(stream: Stream, reader: ArrayReader, frames: Frame[]): void {
  let numbers: Uint32Array = new Uint32Array(0);
  stream.frames.forEach((count, i) => {
    if ((count as number) >= 0) {
      numbers = reader.u32(count as number);
      for (let j = 1; j < numbers.length; ++j) numbers[j] += numbers[j - 1];
    }
    const { points } = frames[i].bodies[stream.body];
    if (points) points.numbers = numbers;
  });
}

/** One of each number, ascending, or of each row where there are no numbers. */
function readRadii(stream: Stream, reader: ArrayReader, frames: Frame[]): void {
  const unit = stream.max! / 65535;
  const radius = Float32Array.from(reader.u16(stream.frames[0] as number), (r) => r * unit);
  const bodies = frames.map(({ bodies: all }) => all[stream.body]);
  const lists = new Set(bodies.flatMap(({ points }) => points?.numbers ?? []));
  const known = new Set<number>();
  for (const numbers of lists) for (const number of numbers) known.add(number);
  const radiusOf = new Map(Array.from(Uint32Array.from(known).sort(), (number, i) => [number, radius[i]]));
  const byRow = new Map(Array.from(lists, (numbers) => [numbers, Float32Array.from(numbers, (number) => radiusOf.get(number)!)]));
  for (const body of bodies) body.radius = (body.points?.numbers && byRow.get(body.points.numbers)) || radius;
}

function readBytes(stream: Stream, what: "speed" | "stress", reader: ArrayReader, frames: Frame[]): void {
  let before = new Uint8Array(0);
  stream.frames.forEach((count, i) => {
    const now = Uint8Array.from(reader.u8(count as number));
    if (before.length === now.length) for (let j = 0; j < now.length; ++j) now[j] += before[j];
    const points = frames[i].bodies[stream.body].points;
    if (points && now.length === points.count)
      points[what] = Float32Array.from(now, (c) => stream.max! * (c / 255) * (c / 255));
    before = now;
  });
}

export function noContacts(): Contacts {
  return {
    count: 0,
    x: new Float32Array(0),
    force: new Float32Array(0),
    normal: new Float32Array(0),
    depth: new Float32Array(0),
    sticks: new Uint8Array(0),
    pointBody: new Int32Array(0),
    surfaceBody: new Int32Array(0),
    point: new Int32Array(0),
  };
}

function readContacts(stream: Stream, reader: ArrayReader, frames: Frame[]): void {
  const counts = stream.frames as number[];
  const all = counts.reduce((a, b) => a + b, 0);
  if (all === 0) return;
  const columns = <T>(read: () => T): T[] => [read(), read(), read()];
  const q = columns(() => reader.u16(all));
  const force = columns(() => reader.halfWords(all));
  const depth = reader.halfWords(all);
  const pointBody = reader.u16(all);
  const surfaceBody = reader.u16(all);
  const point = reader.u32(all);
  const normal = columns(() => reader.i8(all));
  const sticks = reader.u8(all);
  let begin = 0;
  counts.forEach((count, f) => {
    const end = begin + count;
    const interleave = (from: ArrayLike<number>[], map: (value: number, axis: number) => number) => {
      const out = new Float32Array(3 * count);
      for (let i = 0; i < count; ++i) for (let a = 0; a < 3; ++a) out[3 * i + a] = map(from[a][begin + i], a);
      return out;
    };
    const minusOne = (values: ArrayLike<number>) => Int32Array.from({ length: count }, (_, i) => values[begin + i] - 1);
    frames[f].contacts = {
      count,
      x: interleave(q, (value, axis) => stream.min![axis] + stream.step![axis] * value),
      force: interleave(force, (value) => value),
      normal: interleave(normal, (value) => value / 127),
      depth: depth.slice(begin, end),
      sticks: sticks.slice(begin, end),
      pointBody: minusOne(pointBody),
      surfaceBody: minusOne(surfaceBody),
      point: minusOne(point),
    };
    begin = end;
  });
}
