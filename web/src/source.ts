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
  box: [number, number, number, number, number, number] | null;
}

/** The table of contents of a page. */
export interface Head {
  format: number;
  title: string;
  status: "done" | "failed" | "interrupted" | "unfinished";
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
  bodies: BodyHead[];
  friction: number | "inf" | null;
  pairs: { bodies: [number, number]; friction: number | "inf" | null }[];
  summary: Record<string, unknown> | null;
  notes: string[];
}

/** Where the data come from: the page itself, or the program that serves it while a run goes on. */
export interface Source {
  readonly live: boolean;
  head(): Promise<Head>;
  /** A packed chunk: "meshes", "tables", "group-3". */
  chunk(name: string): Promise<Uint8Array>;
}

class PageSource implements Source {
  readonly live = false;
  constructor(private readonly json: Head) {}
  async head(): Promise<Head> {
    return this.json;
  }
  async chunk(name: string): Promise<Uint8Array> {
    const element = document.getElementById(name);
    if (!element) throw new Error(`this page has no ${name}`);
    return decodeBase64(element.textContent ?? "");
  }
}

class ServerSource implements Source {
  readonly live = true;
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

export function openSource(): Source {
  const element = document.getElementById("replay");
  if (!element) throw new Error("the page contains no run: it is the empty template");
  const json = JSON.parse(element.textContent ?? "") as Head & { live?: boolean };
  return json.live ? new ServerSource() : new PageSource(json);
}
