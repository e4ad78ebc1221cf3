import { Vector3 } from "three";
import { Pick } from "./cast";
import { element, shortNumber, vectorText, withUnit } from "./format";
import { Series, valueAt } from "./plot";
import { contactLoad, reaction } from "./quantities";
import { Contacts, howToRecord, Replay } from "./replay";
import { Kind } from "./source";
import { Theatre } from "./theatre";

const mostPartners = 6;

type Row = (name: string, value: string | Node) => void;
type VectorRow = (name: string, v: ArrayLike<number>, unit: string) => void;

/** What there is to say of what is selected, at the time that is shown. */
export function describe(picked: Pick, replay: Replay, theatre: Theatre): HTMLElement {
  const list = element("dl");
  const row: Row = (name, value) => list.append(element("dt", { text: name }), element("dd", {}, value));
  const vector: VectorRow = (name, v, unit) => row(name, vectorText(v, unit, replay.roundOff(unit)));
  if (picked.point >= 0) describePoint(picked, theatre, row, vector);
  else describeBody(picked.body, replay.head.bodies[picked.body].kind, theatre, row, vector);
  const told = picked.point < 0 && describeLoads(replay, picked.body, theatre.frame!.time, row, vector);
  describeContacts(picked, replay, theatre, row, told ? () => {} : (force) => vector("Contact force", force, "N"));
  return list;
}

function describeBody(i: number, kind: Kind, theatre: Theatre, row: Row, vector: VectorRow): void {
  const motion = theatre.painter.motionOf(i);
  if (!motion) return row("Position", "not recorded");
  vector("Position", motion.x.toArray(), "m");
  vector("Velocity", motion.v.toArray(), "m/s");
  vector("Speed", [motion.v.length()], "m/s");
  vector("Angular velocity", motion.w.toArray(), "rad/s");
  const { points } = theatre.frame!.bodies[i];
  if (points?.stress) row("Largest stress", withUnit(points.stress.reduce((a, b) => Math.max(a, b), 0), "Pa"));
  const cloud = theatre.cast.clouds.get(i);
  if (cloud?.frame) row(kind === "mpm" ? "Particles" : "Spheres", String(cloud.frame.count));
}

function describePoint(picked: Pick, theatre: Theatre, row: Row, vector: VectorRow): void {
  const { body } = picked;
  const cloud = theatre.cast.clouds.get(body);
  const point = theatre.cast.rowOfPick(picked);
  if (!cloud?.frame || point < 0) return row("Position", "not in this frame");
  const { min, step, q } = cloud.frame;
  vector("Position", [0, 1, 2].map((a) => min[a] + step[a] * q[4 * point + a]), "m");
  const speed = theatre.painter.speedOf(body);
  if (speed) vector("Speed", [speed[point]], "m/s");
  row("Radius", withUnit(cloud.radiusOf(point), "m"));
}

/** Forces and torques from the tables of the run; false: they do not know the contact force. */
function describeLoads(replay: Replay, body: number, time: number, row: Row, vector: VectorRow): boolean {
  const { name } = replay.head.bodies[body];
  const tell = (title: string, curves: Series[], unit: string): boolean => {
    if (!curves.some(({ value }) => value.length > 0)) return false;
    if (curves[0].time[0] > time + 1e-6 * Math.max(1, time)) row(title, fromFirstStep);
    else vector(title, curves.map((one) => valueAt(one, time)), unit);
    return true;
  };
  const known = tell("Contact force", contactLoad(replay, name, "f"), "N");
  tell("Contact torque", contactLoad(replay, name, "t"), "N m");
  tell("Reaction force", reaction(replay, name, "f"), "N");
  tell("Reaction torque", reaction(replay, name, "t"), "N m");
  return known;
}

const fromFirstStep = "known from the first step on";

function describeContacts(picked: Pick, replay: Replay, theatre: Theatre, row: Row, tellForce: (force: number[]) => void): void {
  if (!replay.hasContacts) return row("Contacts", replay.source.live && replay.frameCount < 2 ? "not known yet" : howToRecord);
  const { contacts, number } = theatre.frame!;
  if (number === 0 && contacts.count === 0) return row("Contacts", fromFirstStep);
  const side = sideOf(picked, contacts, theatre);
  const partners = new Map<number, number[]>();
  const force = [0, 0, 0];
  let all = 0;
  let sticking = 0;
  for (let c = 0; c < contacts.count; ++c) {
    const sign = side(c);
    if (sign === 0) continue;
    ++all;
    sticking += contacts.sticks[c];
    if (picked.point < 0 && contacts.pointBody[c] === contacts.surfaceBody[c]) continue; // within the body: together nothing
    const partner = sign > 0 ? contacts.surfaceBody[c] : contacts.pointBody[c];
    const sum = partners.get(partner) ?? [0, 0, 0];
    partners.set(partner, sum);
    for (let a = 0; a < 3; ++a) {
      const part = sign * contacts.force[3 * c + a];
      force[a] += part;
      sum[a] += part;
    }
  }
  if (all === 0 && contacts.count > 0 && contacts.pointBody.every((b) => b < 0)) return row("Contacts", "bodies not recorded");
  row("Contacts", all === 0 ? "none" : `${all} (${sticking} stick, ${all - sticking} slide)`);
  if (all === 0) return;
  tellForce(force);
  if (partners.size === 0) return;
  const strongest = [...partners].sort((a, b) => Math.hypot(...b[1]) - Math.hypot(...a[1]));
  const names = strongest.slice(0, mostPartners).map(([b, sum]) => `${replay.head.bodies[b]?.name ?? shortNumber(b)}: ${withUnit(Math.hypot(...sum), "N")}`);
  if (strongest.length > names.length) names.push(`and ${strongest.length - names.length} more`);
  row("In contact with", element("span", {}, ...names.map((text) => element("div", { text }))));
}

/** With which sign the force of a contact acts on what is selected; 0: not its contact. */
function sideOf(picked: Pick, contacts: Contacts, theatre: Theatre): (c: number) => number {
  const { body } = picked;
  if (picked.point < 0) return (c) => (contacts.pointBody[c] === body ? 1 : contacts.surfaceBody[c] === body ? -1 : 0);
  const point = theatre.cast.rowOfPick(picked);
  if (point < 0) return () => 0;
  const centre = theatre.cast.placeOfRow(body, point);
  const radius = theatre.cast.clouds.get(body)?.radiusOf(point) ?? 0;
  const arm = new Vector3();
  const normal = new Vector3();
  // A contact of two spheres has the number of one of them: the other is the one on whose surface it is, along its normal.
  const onSurface = (c: number) => {
    if (!centre || contacts.surfaceBody[c] !== body) return false;
    const distance = arm.fromArray(contacts.x, 3 * c).sub(centre).length();
    return Math.abs(distance - radius) < 0.1 * radius && normal.fromArray(contacts.normal, 3 * c).dot(arm) > 0.99 * distance;
  };
  return (c) => (contacts.pointBody[c] === body && contacts.point[c] === point ? 1 : onSurface(c) ? -1 : 0);
}
