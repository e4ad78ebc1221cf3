import { BodyList, opacitySlider } from "./bodies";
import { Pick } from "./cast";
import { components, element, shortNumber, withUnit } from "./format";
import { Plot, Series } from "./plot";
import { Load, Replay, Track } from "./replay";
import { Theatre } from "./theatre";

/** Curves of bodies that touch the selected one: as many as there are colours. */
const mostPartners = 5;

export interface PanelPlaces {
  selection: HTMLElement;
  bodies: HTMLElement;
  plots: HTMLElement;
}

/** The side panel: the picked body, the list of bodies, the plots. */
export class Panel {
  private readonly energy: Plot;
  private readonly momentum: Plot;
  private readonly contacts: Plot;
  private readonly iterations: Plot;
  private readonly position: Plot;
  private readonly speed: Plot;
  private readonly load: Plot;
  private readonly torque: Plot;
  private readonly partners: Plot;
  private readonly reaction: Plot;
  private readonly reactionTorque: Plot;
  private readonly probes = new Map<string, Plot>();
  private readonly plots: Plot[];
  private readonly list: BodyList;
  private readonly opacity: HTMLInputElement;

  constructor(
    private readonly replay: Replay,
    private readonly theatre: Theatre,
    private readonly places: PanelPlaces,
    pick: (pick: Pick | null) => void,
    seek: (time: number) => void,
    private readonly setOpacity: (bodies: number[], opacity: number) => void,
  ) {
    this.energy = new Plot("Energy", "J", seek);
    this.momentum = new Plot("Momentum", "kg m/s", seek);
    this.contacts = new Plot("Contacts", "", seek, { fromZero: true, whole: true });
    this.iterations = new Plot("Solver iterations per step", "", seek, { logarithmic: true, whole: true });
    this.position = new Plot("Position of the body", "m", seek);
    this.speed = new Plot("Speed of the body", "m/s", seek, { fromZero: true });
    this.load = new Plot("Contact force on the body", "N", seek);
    this.torque = new Plot("Contact torque on the body", "N m", seek);
    this.partners = new Plot("Contact force from other bodies", "N", seek, { fromZero: true });
    this.reaction = new Plot("Reaction of what holds the body", "N", seek);
    this.reactionTorque = new Plot("Torque of what holds the body", "N m", seek);
    for (const { table, of } of replay.tables.loads)
      if (table === "probes") this.probes.set(of, new Plot(`Probe ${of}`, "N", seek, { fromZero: true }));
    this.plots = [this.position, this.speed, this.load, this.torque, this.partners, this.reaction, this.reactionTorque, ...this.probes.values(), this.energy, this.momentum, this.contacts, this.iterations];
    places.plots.append(element("h2", { text: "Plots" }), ...this.plots.map((plot) => plot.root));
    this.list = new BodyList(places.bodies, replay.head.bodies, {
      colourOf: (body) => theatre.cast.colourOf(body),
      opacity: (body) => theatre.cast.visibility.opacity(body),
      setOpacity,
      pick: (body) => pick(body === null ? null : { body, point: -1 }),
    });
    this.opacity = opacitySlider("Opacity", (opacity) => this.theatre.picked && this.setOpacity([this.theatre.picked.body], opacity));
    this.fillPlots();
    this.fillTracks();
  }

  /** After new data, another run to compare with. */
  fillPlots(): void {
    const end = this.end();
    const both = (of: (replay: Replay) => Series[]) => this.withOther(of(this.replay), of);
    this.energy.set(both(energySeries), end);
    this.momentum.set(both(historySeries({ x: "px", y: "py", z: "pz" })), end);
    this.contacts.set(both(historySeries({ all: "contacts", stick: "sticking", slide: "sliding" })), end);
    this.iterations.set(both(iterationSeries), end);
    for (const [name, plot] of this.probes) plot.set(both((replay) => probeSeries(loadOf(replay, "probes", name))), end);
  }

  /** After new data, a new pick, another run to compare with. */
  fillTracks(): void {
    const { picked, pointTrack } = this.theatre;
    const end = this.end();
    const name = this.replay.head.bodies[picked?.body ?? -1]?.name;
    const bodyTrack = (replay: Replay): Track | undefined => replay.tables.tracks[replay.head.bodies.findIndex((one) => one.name === name)];
    const isPoint = (picked?.point ?? -1) >= 0; // its number says nothing of another run
    const track = isPoint ? (pointTrack ?? undefined) : bodyTrack(this.replay);
    const moves = (of: (track: Track | undefined) => Series[]) => (isPoint ? of(track) : this.withOther(of(track), (replay) => of(bodyTrack(replay))));
    this.position.set(moves(positionSeries), end);
    this.speed.set(moves(speedSeries), end);
    const both = (of: (replay: Replay) => Series[]) => this.withOther(of(this.replay), of);
    this.load.set(both((replay) => vectorSeries(loadOf(replay, "walls", name), "f")), end);
    this.torque.set(both((replay) => vectorSeries(loadOf(replay, "walls", name), "t")), end);
    this.partners.set(this.withOther(partnerSeries(this.replay, name).slice(0, mostPartners), (replay) => partnerSeries(replay, name)), end);
    this.reaction.set(both((replay) => vectorSeries(loadOf(replay, "reactions", name), "f")), end);
    this.reactionTorque.set(both((replay) => vectorSeries(loadOf(replay, "reactions", name), "t")), end);
  }

  /** Each curve of this run and, dashed after it, the one of that name of the run it is compared with. */
  private withOther(own: Series[], of: (replay: Replay) => Series[]): Series[] {
    const other = this.theatre.ghost ? of(this.theatre.ghost.replay) : [];
    return own
      .filter((one) => one.value.length > 0)
      .flatMap((one) => [one, ...other.filter(({ name }) => name === one.name).map((s) => ({ ...s, name: `${s.name}, other run`, ghost: true }))]);
  }

  private end(): number {
    const { times } = this.replay.head;
    const history = this.replay.tables.history.get("time");
    return Math.max(times[times.length - 1] ?? 0, history?.[history.length - 1] ?? 0);
  }

  showTime(time: number): void {
    for (const plot of this.plots) plot.moveTo(time);
    this.showSelection();
  }

  /** After a change of opacities. */
  showOpacity(): void {
    this.list.showState();
    if (this.theatre.picked) this.opacity.value = String(this.theatre.cast.visibility.opacity(this.theatre.picked.body));
  }

  showSelection(): void {
    const { picked, frame } = this.theatre;
    this.list.setPicked(picked?.body ?? -1);
    const place = this.places.selection;
    if (!picked || !frame) {
      place.replaceChildren(element("p", { class: "hint", text: "Select a body in the picture or in the list." }));
      return;
    }
    const body = this.replay.head.bodies[picked.body];
    const swatch = element("span", { class: "dot square" });
    swatch.style.background = this.theatre.cast.colourOf(picked.body);
    const list = element("dl");
    const row = (name: string, value: string | Node) => list.append(element("dt", { text: name }), element("dd", {}, value));
    if (picked.point >= 0) this.describePoint(picked, row);
    else this.describeBody(picked.body, row);
    this.describeContacts(picked, row);
    const title = element("span", { text: picked.point >= 0 ? `${body.name}, number ${picked.point}` : body.name });
    if (this.opacity.isConnected) {
      // A slider that is dragged must stay the same element.
      place.querySelector("h3")!.replaceChildren(swatch, title);
      place.querySelector("dl")!.replaceWith(list);
    } else {
      const label = element("label", { class: "opacity-row" }, "Opacity", this.opacity);
      place.replaceChildren(element("h3", {}, swatch, title), list, label);
    }
    this.opacity.value = String(this.theatre.cast.visibility.opacity(picked.body));
  }

  private describeBody(i: number, row: (name: string, value: string) => void): void {
    const motion = this.theatre.painter.motionOf(i);
    if (!motion) return row("Position", "not recorded");
    row("Position", `${components(motion.x.toArray())} m`);
    row("Velocity", `${components(motion.v.toArray())} m/s`);
    row("Speed", `${shortNumber(motion.v.length())} m/s`);
    row("Angular velocity", `${components(motion.w.toArray())} rad/s`);
    const { points } = this.theatre.frame!.bodies[i];
    if (points?.stress) row("Largest stress", withUnit(points.stress.reduce((a, b) => Math.max(a, b), 0), "Pa"));
    const cloud = this.theatre.cast.clouds.get(i);
    if (cloud?.frame) row("Spheres", String(cloud.frame.count));
  }

  private describePoint({ body, point }: Pick, row: (name: string, value: string) => void): void {
    const cloud = this.theatre.cast.clouds.get(body);
    if (!cloud?.frame || point >= cloud.frame.count) return row("Position", "not in this frame");
    const { min, step, q } = cloud.frame;
    row("Position", `${components([0, 1, 2].map((a) => min[a] + step[a] * q[4 * point + a]))} m`);
    const speed = this.theatre.painter.speedOf(body);
    if (speed) row("Speed", `${shortNumber(speed[point])} m/s`);
    row("Radius", withUnit(cloud.radiusOf(point), "m"));
  }

  private describeContacts({ body, point }: Pick, row: (name: string, value: string | Node) => void): void {
    if (!this.replay.hasContacts) return row("Contacts", this.replay.source.live && this.replay.frameCount < 2 ? "not known yet" : "not recorded");
    const { contacts, number } = this.theatre.frame!;
    if (number === 0 && contacts.count === 0) return row("Contacts", "known from the first step on");
    const partners = new Map<number, number[]>();
    const force = [0, 0, 0];
    let all = 0;
    let sticking = 0;
    for (let c = 0; c < contacts.count; ++c) {
      const mine = contacts.pointBody[c] === body && (point < 0 || contacts.point[c] === point);
      const other = contacts.surfaceBody[c] === body && point < 0;
      if (!mine && !other) continue;
      ++all;
      sticking += contacts.sticks[c];
      const partner = mine ? contacts.surfaceBody[c] : contacts.pointBody[c];
      const sum = partners.get(partner) ?? [0, 0, 0];
      partners.set(partner, sum);
      for (let a = 0; a < 3; ++a) {
        const part = (mine ? 1 : -1) * contacts.force[3 * c + a];
        force[a] += part;
        sum[a] += part;
      }
    }
    if (all === 0 && contacts.count > 0 && contacts.pointBody.every((b) => b < 0)) return row("Contacts", "bodies not recorded");
    row("Contacts", all === 0 ? "none" : `${all} (${sticking} stick, ${all - sticking} slide)`);
    if (all === 0) return;
    row("Contact force", `${components(force)} N`);
    const strongest = [...partners].sort((a, b) => Math.hypot(...b[1]) - Math.hypot(...a[1]));
    const names = strongest.slice(0, 6).map(([b, sum]) => `${this.replay.head.bodies[b]?.name ?? shortNumber(b)}: ${withUnit(Math.hypot(...sum), "N")}`);
    if (strongest.length > names.length) names.push(`and ${strongest.length - names.length} more`);
    row("In contact with", element("span", {}, ...names.map((text) => element("div", { text }))));
  }
}

function lengths(v: Float32Array[]): Float32Array {
  return v[0].map((_, i) => Math.hypot(v[0][i], v[1][i], v[2][i]));
}

function loadOf(replay: Replay, table: Load["table"], name: string | undefined): Load | undefined {
  return replay.tables.loads.find((one) => one.table === table && one.of === name);
}

/** Columns of history.csv by the name of their curves. */
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

function positionSeries(track: Track | undefined): Series[] {
  return track ? ["x", "y", "z"].map((name, a) => ({ name, time: track.time, value: track.x[a] })) : [];
}

function speedSeries(track: Track | undefined): Series[] {
  return track && track.v.length > 0 ? [{ name: "speed", time: track.time, value: lengths(track.v) }] : [];
}

/** Magnitudes of the forces between a body and all others, the largest first. */
function partnerSeries(replay: Replay, name: string | undefined): Series[] {
  if (name === undefined) return [];
  const names = new Set(replay.head.bodies.map((body) => body.name));
  const forces = replay.tables.loads.flatMap((load): Series[] => {
    if (load.table !== "pairs") return [];
    const partner = load.of.startsWith(`${name}+`) ? load.of.slice(name.length + 1) : load.of.endsWith(`+${name}`) ? load.of.slice(0, -name.length - 1) : "";
    if (!names.has(partner)) return [];
    return [{ name: partner, time: load.columns.get("time") ?? [], value: lengths(["x", "y", "z"].map((axis) => load.columns.get(`f${axis}`) ?? new Float32Array(0))) }];
  });
  const largest = (s: Series) => Array.from(s.value).reduce((a, b) => Math.max(a, b), 0);
  return forces.sort((a, b) => largest(b) - largest(a));
}

/** Components of the force (f) or torque (t) in a table of loads. */
function vectorSeries(load: Load | undefined, quantity: "f" | "t"): Series[] {
  const time = load?.columns.get("time") ?? [];
  return ["x", "y", "z"].map((axis) => ({ name: axis, time, value: load?.columns.get(quantity + axis) ?? [] }));
}

/** What presses and what rubs. */
function probeSeries(load: Load | undefined): Series[] {
  const time = load?.columns.get("time") ?? [];
  const length = (name: string) => lengths(["x", "y", "z"].map((axis) => load?.columns.get(`${name}_${axis}`) ?? new Float32Array(0)));
  return [
    { name: "normal", time, value: length("normal") },
    { name: "friction", time, value: length("friction") },
  ];
}
