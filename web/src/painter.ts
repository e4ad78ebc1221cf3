import { Color, Vector3 } from "three";
import { Cloud } from "./cloud";
import { ColourMode, obstacleColour, slideColour, stickColour, writeScale } from "./colour";
import { Contacts, Frame, numberOf, Replay } from "./replay";
import { Solid } from "./solid";

export const grey = new Color("#9aa1a8");

/** Velocity and angular velocity of a body as a whole, and where it is. */
export interface Motion {
  x: Vector3;
  v: Vector3;
  w: Vector3;
}

/** Gives bodies the colours of what is asked for: their own, or those of a scale. */
export class Painter {
  mode: ColourMode = "body";
  frame: Frame | null = null;

  constructor(private readonly replay: Replay) {}

  /** The largest value of the scale that the colours show, with its unit; null where there is nothing to show. */
  scale(): { max: number; unit: string } | null {
    const { speed, stress, depth } = this.replay.head.ranges;
    if (this.mode === "speed") return { max: speed || 1, unit: "m/s" };
    if (this.mode === "stress") return this.replay.hasStress ? { max: stress || 1, unit: "Pa" } : null;
    if (this.mode === "penetration") return this.replay.hasContacts ? { max: depth || 1, unit: "m" } : null;
    return null;
  }

  paint(i: number, solid: Solid, picked: boolean): void {
    solid.mesh.material.emissive.set(picked ? "#2c3a4a" : "#000000");
    if (this.mode === "body") return solid.paint(null, solid.base);
    solid.paint(this.coloursOf(i, solid), this.replay.head.bodies[i].kind === "obstacle" ? new Color(obstacleColour) : grey);
  }

  paintCloud(i: number, cloud: Cloud): void {
    const { points, radius } = this.frame!.bodies[i];
    cloud.setMode(this.mode);
    cloud.show(points, radius, points ? this.valuesOf(i, points.count) : null);
  }

  colourOfContact(contacts: Contacts, c: number, out: Float32Array, at: number): void {
    if (this.mode === "penetration") writeScale(contacts.depth[c] / this.scale()!.max, out, at);
    else new Color(contacts.sticks[c] ? stickColour : slideColour).toArray(out, at);
  }

  /** Of a body as a whole now, from its track. */
  motionOf(i: number): Motion | null {
    const track = this.replay.tables.tracks[i];
    const row = track.time.indexOf(Math.fround(this.frame!.time));
    if (row < 0) return null;
    const at = (columns: Float32Array[]) => new Vector3(columns[0][row], columns[1][row], columns[2][row]);
    return { x: at(track.x), v: at(track.v), w: at(track.w) };
  }

  /** Speed of each point of a cloud, from how far it moves to the next frame where it is not recorded. */
  speedOf(body: number): Float32Array | null {
    const now = this.frame?.bodies[body].points;
    if (!now || now.speed) return now?.speed ?? null;
    const { times } = this.replay.head;
    const other = this.frame!.number > 0 ? this.frame!.number - 1 : this.frame!.number + 1;
    const then = this.replay.ready(other)?.bodies[body].points;
    if (!then || other >= times.length || (!now.numbers && then.count !== now.count)) return null;
    const seconds = Math.abs(times[other] - this.frame!.time);
    const speed = new Float32Array(now.count);
    const rows = then.numbers && then.numbers !== now.numbers && new Map(Array.from(then.numbers, (number, row) => [number, row]));
    for (let i = 0; i < now.count; ++i) {
      const j = rows ? rows.get(numberOf(now, i)) : i;
      if (j === undefined || j >= then.count) continue; // it has just come
      let sum = 0;
      for (let a = 0; a < 3; ++a)
        sum += (now.min[a] + now.step[a] * now.q[4 * i + a] - then.min[a] - then.step[a] * then.q[4 * j + a]) ** 2;
      speed[i] = Math.sqrt(sum) / seconds;
    }
    return speed;
  }

  /** Colours of the points of a surface; null where the mode has none for it. */
  private coloursOf(i: number, solid: Solid): Float32Array | null {
    const body = this.frame!.bodies[i];
    if (this.mode === "penetration" || this.mode === "contact") return this.contactColours(i, body.points?.count ?? 0);
    const field = this.mode === "speed" ? (body.points?.speed ?? this.speedOfPosed(i, solid)) : (body.points?.stress ?? null);
    const scale = this.scale();
    if (!field || !scale) return null;
    const colours = new Float32Array(3 * field.length);
    for (let p = 0; p < field.length; ++p) writeScale(field[p] / scale.max, colours, 3 * p);
    return colours;
  }

  private speedOfPosed(i: number, solid: Solid): Float32Array | null {
    const body = this.frame!.bodies[i];
    if (!body.pose || this.replay.head.bodies[i].kind === "obstacle") return null;
    const motion = this.motionOf(i);
    if (!motion) return null;
    const own = solid.ownVertices;
    const arm = new Vector3();
    const velocity = new Vector3();
    const speed = new Float32Array(own.length / 3);
    for (let p = 0; p < speed.length; ++p) {
      arm.fromArray(own, 3 * p).applyQuaternion(solid.mesh.quaternion);
      speed[p] = velocity.crossVectors(motion.w, arm).add(motion.v).length();
    }
    return speed;
  }

  private contactColours(i: number, count: number): Float32Array | null {
    if (count === 0 || this.replay.head.bodies[i].kind === "obstacle") return null;
    const colours = new Float32Array(3 * count);
    for (let p = 0; p < count; ++p) grey.toArray(colours, 3 * p);
    const { contacts } = this.frame!;
    for (let c = 0; c < contacts.count; ++c)
      if (contacts.pointBody[c] === i && contacts.point[c] >= 0 && contacts.point[c] < count)
        this.colourOfContact(contacts, c, colours, 3 * contacts.point[c]);
    return colours;
  }

  private valuesOf(i: number, count: number): Float32Array | null {
    if (this.mode === "body" || this.mode === "stress") return null;
    const values = new Float32Array(count);
    const scale = this.scale();
    if (this.mode === "speed") {
      const speed = this.speedOf(i);
      for (let p = 0; speed && p < count; ++p) values[p] = speed[p] / scale!.max;
      return values;
    }
    const { contacts } = this.frame!;
    for (let c = 0; c < contacts.count; ++c) {
      const p = contacts.point[c];
      if (contacts.pointBody[c] !== i || p < 0 || p >= count) continue;
      if (this.mode === "penetration") values[p] = Math.max(values[p], 0.004, contacts.depth[c] / scale!.max);
      else values[p] = contacts.sticks[c] ? 0.5 : 0.9;
    }
    return values;
  }
}
