import { components, element, shortNumber, withUnit } from "./format";
import { Plot, Series } from "./plot";
import { Replay } from "./replay";
import { Pick, Theatre } from "./theatre";

const kindNames: Record<string, string> = { unknown: "", deformable: "deformable", obstacle: "obstacle", rigid: "rigid", spheres: "spheres", mpm: "particles" };

/** The side panel: the picked body, the list of bodies, the plots. */
export class Panel {
  private readonly energy: Plot;
  private readonly momentum: Plot;
  private readonly contacts: Plot;
  private readonly iterations: Plot;
  private readonly position: Plot;
  private readonly speed: Plot;

  constructor(
    private readonly replay: Replay,
    private readonly theatre: Theatre,
    private readonly places: { selection: HTMLElement; bodies: HTMLElement; plots: HTMLElement },
    pick: (pick: Pick | null) => void,
    seek: (time: number) => void,
  ) {
    this.energy = new Plot("Energy", "J", seek);
    this.momentum = new Plot("Momentum", "kg m/s", seek);
    this.contacts = new Plot("Contacts", "", seek, { fromZero: true });
    this.iterations = new Plot("Solver iterations per step", "", seek, { logarithmic: true });
    this.position = new Plot("Position of the body", "m", seek);
    this.speed = new Plot("Speed of the body", "m/s", seek, { fromZero: true });
    const plots = [this.position, this.speed, this.energy, this.momentum, this.contacts, this.iterations];
    places.plots.append(element("h2", { text: "Plots" }), ...plots.map((plot) => plot.root));
    this.plots = plots;
    replay.head.bodies.forEach((body, i) => {
      const swatch = element("span", { class: "dot square" });
      swatch.style.background = theatre.colourOf(i);
      const item = element("li", {}, swatch, element("span", { class: "name", text: body.name }), element("span", { class: "kind", text: kindNames[body.kind] ?? "" }));
      item.title = body.name;
      item.tabIndex = 0;
      item.setAttribute("role", "option");
      item.addEventListener("click", () => pick(theatre.picked?.body === i ? null : { body: i, point: -1 }));
      item.addEventListener("keydown", (event) => {
        if (event.key === "Enter") pick({ body: i, point: -1 });
      });
      places.bodies.append(item);
    });
    places.bodies.setAttribute("role", "listbox");
    this.fillPlots();
    this.fillTracks();
  }

  private readonly plots: Plot[];

  /** After new data, a new pick. */
  fillPlots(): void {
    const { history } = this.replay.tables;
    const time = history.get("time") ?? new Float32Array(0);
    const end = this.end();
    const of = (name: string, column: string): Series => ({ name, time, value: history.get(column) ?? [] });
    const potential = history.get("potential_energy");
    this.energy.set(
      [
        of("kinetic", "kinetic_energy"),
        // Its zero is a matter of taste: from the start its changes compare with the other energies.
        { name: "potential", time, value: potential ? potential.map((v) => v - potential[0]) : [] },
        of("elastic", "elastic_energy"),
        of("contact", "contact_energy"),
        of("friction loss", "friction_loss"),
      ],
      end,
    );
    this.momentum.set([of("x", "px"), of("y", "py"), of("z", "pz")], end);
    this.contacts.set([of("all", "contacts"), of("stick", "sticking"), of("slide", "sliding")], end);
    this.iterations.set([of("Newton", "newton"), of("GMRES", "krylov")], end);
  }

  fillTracks(): void {
    const track = this.theatre.picked ? this.replay.tables.tracks[this.theatre.picked.body] : undefined;
    const end = this.end();
    if (!track) {
      this.position.set([], end);
      this.speed.set([], end);
      return;
    }
    const of = (name: string, value: Float32Array): Series => ({ name, time: track.time, value });
    this.position.set(["x", "y", "z"].map((name, a) => of(name, track.x[a])), end);
    const length = (v: Float32Array[]) => v[0].map((_, i) => Math.hypot(v[0][i], v[1][i], v[2][i]));
    this.speed.set([of("speed", length(track.v))], end);
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

  showSelection(): void {
    const { picked, frame } = this.theatre;
    [...this.places.bodies.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === picked?.body)));
    const place = this.places.selection;
    if (!picked || !frame) {
      place.replaceChildren(element("p", { class: "hint", text: "Select a body in the picture or in the list." }));
      return;
    }
    const body = this.replay.head.bodies[picked.body];
    const swatch = element("span", { class: "dot square" });
    swatch.style.background = this.theatre.colourOf(picked.body);
    const list = element("dl");
    const row = (name: string, value: string) => list.append(element("dt", { text: name }), element("dd", { text: value }));
    if (picked.point >= 0) this.describePoint(picked, row);
    else this.describeBody(picked.body, row);
    this.describeContacts(picked, row);
    place.replaceChildren(element("h3", {}, swatch, element("span", { text: picked.point >= 0 ? `${body.name}, number ${picked.point}` : body.name })), list);
  }

  private describeBody(i: number, row: (name: string, value: string) => void): void {
    const motion = this.theatre.motionOf(i);
    if (!motion) return row("Position", "not recorded");
    row("Position", `${components(motion.x.toArray())} m`);
    row("Velocity", `${components(motion.v.toArray())} m/s`);
    row("Speed", withUnit(motion.v.length(), "m/s"));
    row("Angular velocity", `${components(motion.w.toArray())} rad/s`);
    const { points } = this.theatre.frame!.bodies[i];
    if (points?.stress) row("Largest stress", withUnit(points.stress.reduce((a, b) => Math.max(a, b), 0), "Pa"));
    const cloud = this.theatre.clouds.get(i);
    if (cloud?.frame) row("Spheres", String(cloud.frame.count));
  }

  private describePoint({ body, point }: Pick, row: (name: string, value: string) => void): void {
    const cloud = this.theatre.clouds.get(body);
    if (!cloud?.frame || point >= cloud.frame.count) return row("Position", "not in this frame");
    const { min, step, q } = cloud.frame;
    row("Position", `${components([0, 1, 2].map((a) => min[a] + step[a] * q[4 * point + a]))} m`);
    const speed = this.theatre.speedOf(body);
    if (speed) row("Speed", withUnit(speed[point], "m/s"));
    row("Radius", withUnit(cloud.radiusOf(point), "m"));
  }

  private describeContacts({ body, point }: Pick, row: (name: string, value: string) => void): void {
    const { contacts } = this.theatre.frame!;
    const with_ = new Set<number>();
    const force = [0, 0, 0];
    let all = 0;
    let sticking = 0;
    for (let c = 0; c < contacts.count; ++c) {
      const mine = contacts.pointBody[c] === body && (point < 0 || contacts.point[c] === point);
      const other = contacts.surfaceBody[c] === body && point < 0;
      if (!mine && !other) continue;
      ++all;
      sticking += contacts.sticks[c];
      with_.add(mine ? contacts.surfaceBody[c] : contacts.pointBody[c]);
      for (let a = 0; a < 3; ++a) force[a] += (mine ? 1 : -1) * contacts.force[3 * c + a];
    }
    if (all === 0 && contacts.count > 0 && contacts.pointBody.every((b) => b < 0)) return row("Contacts", "bodies not recorded");
    row("Contacts", all === 0 ? "none" : `${all} (${sticking} stick, ${all - sticking} slide)`);
    if (all === 0) return;
    row("Contact force", `${components(force)} N`);
    row("In contact with", [...with_].map((b) => this.replay.head.bodies[b]?.name ?? shortNumber(b)).join(", "));
  }
}
