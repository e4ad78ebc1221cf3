import { PlotOptions, Series } from "./plot";
import { Load, Replay, Tables, Track } from "./replay";

/** Longer tables come as least and largest of several rows, which belong to no frame. */
const mostRows = 3000;
const axes = ["x", "y", "z"];
const components: PlotOptions = { vector: true };

/** What can be plotted over time. */
export interface Quantity {
  /** In the address of the page. */
  id: string;
  title: string;
  unit: string;
  options?: PlotOptions;
  /** Its curves in a run; empty where that has none. */
  series(replay: Replay): Series[];
}

interface Pair {
  bodies: [string, string];
  load: Load;
}

/** The tables of a run by what they belong to: found once, for heaps have thousands of pairs. */
class Index {
  private readonly loads = new Map<string, Load>();
  private readonly bodies = new Map<string, number>();
  private readonly pairsOfBody = new Map<string, Pair[]>();
  /** [s] of frames, those without any contact too, at which a pair has no row. */
  private readonly frameTimes: Float32Array;

  constructor(replay: Replay) {
    replay.head.bodies.forEach(({ name }, i) => this.bodies.set(name, i));
    for (const load of replay.tables.loads) {
      this.loads.set(`${load.table} ${load.of}`, load);
      const bodies = load.table === "pairs" ? this.bodiesOf(load.of) : null;
      for (const body of bodies ?? []) this.pairsOfBody.set(body, [...(this.pairsOfBody.get(body) ?? []), { bodies: bodies!, load }]);
    }
    const times = new Set(replay.head.times.slice(1).map(Math.fround)); // before the first step nothing is known
    for (const { table, columns } of replay.tables.loads) if (table === "pairs") columns.get("time")!.forEach((time) => times.add(time));
    this.frameTimes = Float32Array.from(times).sort();
  }

  load(table: Load["table"], of: string): Load | undefined {
    return this.loads.get(`${table} ${of}`);
  }

  body(name: string): number {
    return this.bodies.get(name) ?? -1;
  }

  pairs(body: string): Pair[] {
    return this.pairsOfBody.get(body) ?? [];
  }

  /** Components of the force (f) or torque (t) of a pair, 0 in frames in which it does not touch. */
  pairVector({ columns }: Load, quantity: "f" | "t"): { time: Float32Array; value: Float32Array[] } {
    const time = columns.get("time")!;
    const value = axes.map((axis) => columns.get(quantity + axis)!);
    if (time.length >= mostRows) return { time, value };
    const rows = new Map(Array.from(time, (t, row) => [t, row]));
    const filled = value.map((column) => this.frameTimes.map((t) => column[rows.get(t) ?? -1] ?? 0));
    return { time: this.frameTimes, value: filled };
  }

  /** Names of bodies may have a + too. */
  bodiesOf(pair: string): [string, string] | null {
    for (let i = pair.indexOf("+"); i >= 0; i = pair.indexOf("+", i + 1)) {
      const [first, second] = [pair.slice(0, i), pair.slice(i + 1)];
      if (this.bodies.has(first) && this.bodies.has(second)) return [first, second];
    }
    return null;
  }
}

const indices = new WeakMap<Tables, Index>();

function indexOf(replay: Replay): Index {
  const found = indices.get(replay.tables) ?? new Index(replay);
  indices.set(replay.tables, found);
  return found;
}

export function trackOf(replay: Replay, body: string): Track | undefined {
  return replay.tables.tracks[indexOf(replay).body(body)];
}

/** What is plotted of a run at first. */
export const usualPlots = (replay: Replay): string[] => [
  ...replay.tables.loads.filter(({ table }) => table === "probes").map(({ of }) => `probes.${of}`),
  ...["energy", "momentum", "contacts", "iterations"],
];

/** All that could be plotted of a run. */
export function catalogue(replay: Replay): Quantity[] {
  const named = (table: Load["table"], of: (name: string) => Quantity[]) => replay.tables.loads.filter((load) => load.table === table).flatMap((load) => of(load.of));
  const bodies = replay.head.bodies.flatMap(({ name }) => bodyQuantities(name, name));
  return [
    ...runQuantities,
    ...named("probes", probeQuantities),
    ...named("pairs", (pair) => pairQuantities(replay, pair)),
    ...named("reactions", heldRegionQuantities),
    ...named("packing", regionQuantities),
    ...bodies,
  ];
}

/** Stresses of a domain without a volume are columns of nan. */
export function has(replay: Replay, quantity: Quantity): boolean {
  return quantity.series(replay).some(({ value }) => Array.prototype.some.call(value, Number.isFinite));
}

/** Of a body by its name; `called`: in the titles. */
export function bodyQuantities(name: string, called: string): Quantity[] {
  const of = (quantity: string, title: string, unit: string, series: (replay: Replay) => Series[], options?: PlotOptions): Quantity => ({ id: `${quantity}.${name}`, title: `${title} ${called}`, unit, series, options });
  const moves = (series: (track: Track | undefined) => Series[]) => (replay: Replay) => series(trackOf(replay, name));
  return [
    of("position", "Position of", "m", moves(positionSeries), components),
    of("speed", "Speed of", "m/s", moves(speedSeries), { fromZero: true }),
    of("force", "Contact force on", "N", (replay) => contactLoad(replay, name, "f"), components),
    of("torque", "Contact torque on", "N m", (replay) => contactLoad(replay, name, "t"), components),
    of("partners", "Contact force of each neighbour on", "N", (replay) => partnerSeries(replay, name), { fromZero: true }),
    of("reaction", "Reaction of what holds", "N", (replay) => reaction(replay, name, "f"), components),
    of("reaction_torque", "Torque of what holds", "N m", (replay) => reaction(replay, name, "t"), components),
    of("velocity", "Velocity of", "m/s", moves((track) => track3(track, track?.v)), components),
    of("spin", "Angular velocity of", "rad/s", moves((track) => track3(track, track?.w)), components),
  ];
}

function pairQuantities(replay: Replay, pair: string): Quantity[] {
  const [first, second] = indexOf(replay).bodiesOf(pair) ?? [pair, ""];
  const vector = (quantity: "f" | "t") => (of: Replay) => {
    const load = indexOf(of).load("pairs", pair);
    if (!load) return [];
    const { time, value } = indexOf(of).pairVector(load, quantity);
    return axes.map((name, a) => ({ name, time, value: value[a] }));
  };
  return [
    { id: `pair_force.${pair}`, title: `Contact force on ${first} from ${second}`, unit: "N", options: components, series: vector("f") },
    { id: `pair_torque.${pair}`, title: `Contact torque on ${first} from ${second}`, unit: "N m", options: components, series: vector("t") },
  ];
}

function probeQuantities(probe: string): Quantity[] {
  const load = (replay: Replay) => indexOf(replay).load("probes", probe);
  const vector = (quantity: string) => (replay: Replay) => columnSeries(load(replay), Object.fromEntries(axes.map((axis) => [axis, `${quantity}_${axis}`])));
  return [
    { id: `probes.${probe}`, title: `Probe ${probe}`, unit: "N", options: { fromZero: true }, series: (replay) => probeSeries(load(replay)) },
    { id: `probe_normal.${probe}`, title: `Normal force of probe ${probe}`, unit: "N", options: components, series: vector("normal") },
    { id: `probe_friction.${probe}`, title: `Friction force of probe ${probe}`, unit: "N", options: components, series: vector("friction") },
    { id: `probe_torque.${probe}`, title: `Torque of probe ${probe}`, unit: "N m", options: components, series: vector("torque") },
  ];
}

/** Of a region of `fix`, named "beam.grip"; what holds a body as a whole is among its own quantities. */
function heldRegionQuantities(region: string): Quantity[] {
  if (!region.includes(".")) return [];
  return [
    { id: `reaction.${region}`, title: `Reaction of ${region}`, unit: "N", options: components, series: (replay) => reaction(replay, region, "f") },
    { id: `reaction_torque.${region}`, title: `Torque of ${region}`, unit: "N m", options: components, series: (replay) => reaction(replay, region, "t") },
  ];
}

function regionQuantities(region: string): Quantity[] {
  const of = (quantity: string, title: string, unit: string, columns: Record<string, string>, options?: PlotOptions): Quantity => ({
    id: `${quantity}.${region}`,
    title: `${title} in region ${region}`,
    unit,
    options,
    series: (replay) => columnSeries(indexOf(replay).load("packing", region), columns),
  });
  const tensor = (name: string, parts: string[]) => Object.fromEntries(parts.map((part) => [part, `${name}_${part}`]));
  return [
    of("stress", "Normal stress", "Pa", tensor("stress", ["xx", "yy", "zz"]), components),
    of("shear", "Shear stress", "Pa", tensor("stress", ["xy", "xz", "yz"]), components),
    of("fabric", "Fabric", "", tensor("fabric", ["xx", "yy", "zz"]), components),
    of("fabric_shear", "Fabric, off the diagonal,", "", tensor("fabric", ["xy", "xz", "yz"]), components),
    of("solid_fraction", "Solid fraction", "", { "solid fraction": "solid_fraction" }),
    of("coordination", "Contacts per sphere", "", { all: "coordination", mechanical: "mechanical_coordination" }, { fromZero: true }),
    of("spheres", "Spheres", "", { all: "spheres", rattlers: "rattlers" }, { fromZero: true, whole: true }),
    of("mean_velocity", "Mean velocity", "m/s", { x: "vx", y: "vy", z: "vz" }, components),
  ].map((one) => (region === "all" ? { ...one, title: one.title.replace("in region all", "of all spheres") } : one));
}

const runQuantities: Quantity[] = [
  { id: "energy", title: "Energy", unit: "J", series: energySeries },
  { id: "momentum", title: "Momentum", unit: "kg m/s", options: components, series: historySeries({ x: "px", y: "py", z: "pz" }) },
  { id: "angular_momentum", title: "Angular momentum about the origin", unit: "kg m\u00b2/s", options: components, series: historySeries({ x: "lx", y: "ly", z: "lz" }) },
  { id: "contacts", title: "Contacts", unit: "", options: { fromZero: true, whole: true }, series: historySeries({ all: "contacts", stick: "sticking", slide: "sliding" }) },
  { id: "depth", title: "Deepest contact", unit: "m", options: { fromZero: true }, series: historySeries({ depth: "max_contact_depth" }) },
  { id: "iterations", title: "Solver iterations per step", unit: "", options: { logarithmic: true, whole: true }, series: iterationSeries },
];

/** Columns of a table by the name of their curves. */
function columnSeries(load: Load | undefined, columns: Record<string, string>): Series[] {
  const time = load?.columns.get("time") ?? [];
  return Object.entries(columns).map(([name, column]) => ({ name, time, value: load?.columns.get(column) ?? [] }));
}

function historySeries(columns: Record<string, string>): (replay: Replay) => Series[] {
  return ({ tables: { history } }) => {
    const time = history.get("time") ?? new Float32Array(0);
    return Object.entries(columns).map(([name, column]) => ({ name, time, value: history.get(column) ?? [] }));
  };
}

/** Explicit steps have none: what their table holds are zeros. */
function iterationSeries(replay: Replay): Series[] {
  return replay.head.explicit ? [] : historySeries({ Newton: "newton", GMRES: "krylov" })(replay);
}

function energySeries(replay: Replay): Series[] {
  const energies = historySeries({ kinetic: "kinetic_energy", potential: "potential_energy", elastic: "elastic_energy", contact: "contact_energy", "friction loss": "friction_loss" })(replay);
  // The zero of potential energy is a matter of taste: from the start its changes compare with the other energies.
  return energies.map((one) => (one.name === "potential" ? { ...one, value: Array.from(one.value, (v) => v - one.value[0]) } : one));
}

function track3(track: Track | undefined, values: Float32Array[] | undefined): Series[] {
  return track && values && values.length > 0 ? axes.map((name, a) => ({ name, time: track.time, value: values[a] })) : [];
}

export function positionSeries(track: Track | undefined): Series[] {
  return track3(track, track?.x);
}

export function speedSeries(track: Track | undefined): Series[] {
  return track && track.v.length > 0 ? [{ name: "speed", time: track.time, value: lengths(track.v) }] : [];
}

/** Of contacts, on a body: force (f) or torque (t). */
export function contactLoad(replay: Replay, name: string, quantity: "f" | "t"): Series[] {
  return vectorSeries(indexOf(replay).load("walls", name), quantity);
}

/** What holds a body or a region of it: force (f) or torque (t). */
export function reaction(replay: Replay, name: string, quantity: "f" | "t"): Series[] {
  return vectorSeries(indexOf(replay).load("reactions", name), quantity);
}

/** Magnitudes of the forces between a body and others, the largest first. */
function partnerSeries(replay: Replay, name: string): Series[] {
  const index = indexOf(replay);
  const forces = index.pairs(name).map(({ bodies, load }): Series => {
    const { time, value } = index.pairVector(load, "f");
    return { name: bodies[0] === name ? bodies[1] : bodies[0], time, value: lengths(value) };
  });
  const largest = (s: Series) => Array.from(s.value).reduce((a, b) => Math.max(a, b), 0);
  return forces.sort((a, b) => largest(b) - largest(a));
}

/** Components of the force (f) or torque (t) in a table of loads. */
function vectorSeries(load: Load | undefined, quantity: "f" | "t"): Series[] {
  return columnSeries(load, Object.fromEntries(axes.map((axis) => [axis, quantity + axis])));
}

/** What presses and what rubs. */
function probeSeries(load: Load | undefined): Series[] {
  const time = load?.columns.get("time") ?? [];
  const length = (name: string) => lengths(axes.map((axis) => load?.columns.get(`${name}_${axis}`) ?? new Float32Array(0)));
  return [
    { name: "normal", time, value: length("normal") },
    { name: "friction", time, value: length("friction") },
  ];
}

function lengths(v: Float32Array[]): Float32Array {
  return v[0].map((_, i) => Math.hypot(v[0][i], v[1][i], v[2][i]));
}
