import { decodeBase64 } from "./codec";

export type Vector = [number, number, number];
export type Coding = "none" | "posed" | "points" | "cloud";
export type Kind = "deformable" | "obstacle" | "rigid" | "spheres" | "mpm" | "unknown";

export interface BodyHead {
  name: string;
  kind: Kind;
  coding: Coding;
  /** Goes on for ever; drawn as ground. */
  plane: boolean;
  /** Lower and upper corner over all frames. */
  box: Box | null;
  /** Of a cloud: the same without points that have run away. */
  usual?: Box | null;
}

type Box = [number, number, number, number, number, number];

/** The table of contents of a page. */
export interface Head {
  format: number;
  title: string;
  /** Its name; pages of older programs do not say. */
  folder?: string;
  status: "done" | "failed" | "interrupted" | "unfinished";
  /** In explicit steps, which solve no equations; pages of older programs do not say. */
  explicit?: boolean;
  gravity: Vector;
  end: number | null;
  times: number[];
  /** Frames packed together. */
  group: number;
  frames_of_run: number;
  /** Each so-manieth frame of the run is here. */
  every: number;
  /** Largest error of a coordinate; not known while a run goes on. */
  error?: number;
  ranges: { speed: number; stress: number; depth: number; force: number };
  /** By unit: below this a value is round-off, shown as 0; pages of older programs do not say. */
  round_off?: Record<string, number>;
  /** What the frames tell of; pages of older programs do not say. */
  recorded?: { contacts: boolean; stress: boolean };
  bodies: BodyHead[];
  friction: number | "inf" | null;
  pairs: { bodies: [number, number]; friction: number | "inf" | null }[];
  summary: Record<string, unknown> | null;
  notes: string[];
}

/** What steers a run: go on, wait after a step, take one step, go on to the next frame, save and end. */
export type SteeringWord = "go" | "pause" | "step" | "next" | "stop";

/** Where the data come from: the page itself, or the program that serves it while a run goes on. */
export interface Source {
  readonly live: boolean;
  head(): Promise<Head>;
  /** A packed chunk: "meshes", "tables", "group-3". */
  chunk(name: string): Promise<Uint8Array>;
  /** The word that a run heeds; null where none listens. */
  steering(): Promise<SteeringWord | null>;
  steer(word: SteeringWord): Promise<void>;
}

class PageSource implements Source {
  readonly live = false;
  constructor(
    private readonly page: Document,
    private readonly json: Head,
    private readonly prefix: string,
  ) {}
  async head(): Promise<Head> {
    return this.json;
  }
  async chunk(name: string): Promise<Uint8Array> {
    const element = this.page.getElementById(this.prefix + name);
    if (!element) throw new Error(`this page has no ${name}`);
    return decodeBase64(element.textContent ?? "");
  }
  async steering(): Promise<null> {
    return null;
  }
  async steer(): Promise<void> {}
}

class ServerSource implements Source {
  readonly live = true;
  private token = "";
  async steering(): Promise<SteeringWord | null> {
    const { token, word } = (await (await this.get("steer")).json()) as { token: string; word: SteeringWord | "" };
    this.token = token;
    return word || null;
  }
  async steer(word: SteeringWord): Promise<void> {
    await fetch(`/steer/${word}`, { method: "POST", headers: { "X-Token": this.token } });
  }
  async head(): Promise<Head> {
    return (await this.get("head")).json();
  }
  async chunk(name: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.get(name)).arrayBuffer());
  }
  private async get(name: string): Promise<Response> {
    const response = await fetch(`/${name}`, { cache: "no-store" });
    if (!response.ok) throw new Error((await response.text()) || `the server answered ${response.status}`);
    return response;
  }
}

/** What the page that is open shows. */
export function openSource(): Source {
  const json = headOf(document, "");
  if (!json) throw new Error("the page contains no run: it is the empty template");
  return json.live ? new ServerSource() : new PageSource(document, json, "");
}

/** A second run that the page holds to compare with, if it does. */
export function openGhost(): Source | null {
  const json = headOf(document, ghostPrefix);
  return json && new PageSource(document, json, ghostPrefix);
}

/** The run of another page, from the text of its file. */
export function sourceOfText(text: string): Source {
  const page = new DOMParser().parseFromString(text, "text/html"); // runs no script
  const json = headOf(page, "");
  if (!json || json.live) throw new Error("this file is not a replay page with a run");
  return new PageSource(page, json, "");
}

const ghostPrefix = "ghost-";

function headOf(page: Document, prefix: string): (Head & { live?: boolean }) | null {
  const element = page.getElementById(`${prefix}replay`);
  return element && (JSON.parse(element.textContent ?? "") as Head & { live?: boolean });
}
