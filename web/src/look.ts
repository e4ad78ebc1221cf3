import { ColourMode } from "./colour";
import { ForceScale } from "./force_scale";
import { Replay } from "./replay";

export type Axis = "x" | "y" | "z";

/** What of the run is drawn, and how. */
export interface Look {
  colour: ColourMode;
  arrows: boolean;
  chains: boolean;
  cones: boolean;
  ground: boolean;
  /** Walls between the eye and what moves turn transparent. */
  seeThrough: boolean;
  path: boolean;
  /** The camera goes with the selected body. */
  follow: boolean;
  /** Length of arrows and cones; 1 is usual. */
  arrowScale: number;
  forceScale: ForceScale;
  /** Half of the space is left out: beyond a place along an axis, 0..1 of the scene. */
  cut: { axis: Axis | null; at: number; flip: boolean };
}

/** More arrows than these hide the grains that they stand on. */
export const mostArrowsOnGrains = 100;

/** How a run is shown at first. */
export const usualLook = (replay: Replay): Look => ({
  colour: "body",
  arrows: !replay.head.bodies.some(({ coding }) => coding === "cloud") || replay.mostContacts <= mostArrowsOnGrains,
  chains: false,
  cones: false,
  ground: true,
  seeThrough: true,
  path: true,
  follow: false,
  arrowScale: 1,
  forceScale: "frame",
  cut: { axis: null, at: 0.5, flip: false },
});
