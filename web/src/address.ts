import { Vector3 } from "three";
import { Pick } from "./cast";
import { ColourMode } from "./colour";
import { ForceScale } from "./force_scale";
import { Axis, Look } from "./look";
import { usualPlots } from "./quantities";
import { Replay } from "./replay";

/** What of the page its address keeps, after the #: a copy of the address opens the same picture. */
export interface Shown {
  time: number;
  eye: Vector3 | null;
  at: Vector3 | null;
  pick: Pick | null;
  /** Opacities of bodies that are not solid, by number. */
  opacity: Map<number, number>;
  look: Look;
  /** What is plotted beside what is of the selected body. */
  plots: string[];
}

const flags = ["arrows", "chains", "cones", "ground", "seeThrough", "path", "follow"] as const;

function short(value: number): string {
  return String(Number(value.toPrecision(5)));
}

/** Commas are of the list, not of the names in it. */
const namesOf = (names: string[]) => names.map(encodeURIComponent).join();

/** Only what differs from `usual`. */
export function addressOf(shown: Shown, usual: Look, replay: Replay): string {
  const { look } = shown;
  const parts = [`t=${short(shown.time)}`];
  const place = (name: string, x: Vector3 | null) => x && parts.push(`${name}=${x.toArray().map(short).join(",")}`);
  place("eye", shown.eye);
  place("at", shown.at);
  if (shown.pick) parts.push(`pick=${shown.pick.body}${shown.pick.point >= 0 ? "." + shown.pick.point : ""}`);
  if (shown.opacity.size > 0) parts.push(`opacity=${[...shown.opacity].map(([body, value]) => `${body}:${short(value)}`).join(",")}`);
  if (look.colour !== usual.colour) parts.push(`colour=${look.colour}`);
  if (look.forceScale !== usual.forceScale) parts.push(`forces=${look.forceScale}`);
  if (look.arrowScale !== usual.arrowScale) parts.push(`arrows=${short(look.arrowScale)}`);
  if (look.cut.axis) parts.push(`cut=${look.cut.flip ? "-" : ""}${look.cut.axis}:${short(look.cut.at)}`);
  const changed = flags.filter((flag) => look[flag] !== usual[flag]);
  if (changed.length > 0) parts.push(`toggle=${changed.join(",")}`);
  const plots = namesOf(shown.plots);
  if (plots !== namesOf(usualPlots(replay))) parts.push(`plots=${plots}`);
  return "#" + parts.join("&");
}

/** Undoes addressOf; what makes no sense is left as usual. Null: the address keeps nothing. */
export function readAddress(address: string, usual: Look, replay: Replay): Shown | null {
  const bodies = replay.head.bodies.length;
  const values = new Map(
    address
      .replace(/^#/, "")
      .split("&")
      .filter((part) => part.includes("="))
      .map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]),
  );
  if (values.size === 0) return null;
  const look: Look = { ...usual, cut: { ...usual.cut } };
  const numbers = (name: string) => (values.get(name) ?? "").split(",").map(Number);
  const place = (name: string) => {
    const x = numbers(name);
    return x.length === 3 && x.every(Number.isFinite) ? new Vector3(...x) : null;
  };
  const one = <T extends string>(name: string, known: readonly T[], otherwise: T) => known.find((word) => word === values.get(name)) ?? otherwise;
  look.colour = one<ColourMode>("colour", ["body", "speed", "stress", "penetration", "contact"], usual.colour);
  look.forceScale = one<ForceScale>("forces", ["frame", "run", "root"], usual.forceScale);
  const arrows = Number(values.get("arrows") ?? NaN);
  if (arrows > 0.01 && arrows < 100) look.arrowScale = arrows;
  const cut = /^(-?)([xyz]):(\d*\.?\d+)$/.exec(values.get("cut") ?? "");
  if (cut) look.cut = { axis: cut[2] as Axis, at: Math.min(Number(cut[3]), 1), flip: cut[1] === "-" };
  for (const flag of (values.get("toggle") ?? "").split(",")) {
    const known = flags.find((name) => name === flag);
    if (known) look[known] = !look[known];
  }
  const pick = /^(\d+)(?:\.(\d+))?$/.exec(values.get("pick") ?? "");
  const opacity = new Map<number, number>();
  for (const part of (values.get("opacity") ?? "").split(",")) {
    const [body, value] = part.split(":").map(Number);
    if (Number.isInteger(body) && body >= 0 && body < bodies && value >= 0 && value <= 1) opacity.set(body, value);
  }
  return {
    time: Number(values.get("t")) || 0,
    eye: place("eye"),
    at: place("at"),
    pick: pick && Number(pick[1]) < bodies ? { body: Number(pick[1]), point: pick[2] ? Number(pick[2]) : -1 } : null,
    opacity,
    look,
    plots: values.get("plots")?.split(",").map(decoded) ?? usualPlots(replay),
  };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // not of our making
  }
}
