import { Color } from "three";

/** Told apart with any colour vision (after Okabe and Ito, a little calmer). */
const bodyColours = ["#3a7ebf", "#e08e2b", "#2a9d7c", "#c46fa3", "#5bb1dd", "#cf5c36", "#8a83c9", "#a9a23c"];

export const obstacleColour = "#a7adb4";
export const stickColour = "#2f6fb7";
export const slideColour = "#e08214";

export type ColourMode = "body" | "speed" | "stress" | "penetration" | "contact";

/** viridis at nine places. */
const viridis = ["#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"].map(
  (hex) => new Color(hex),
);

export const viridisStops = viridis.map((colour) => `#${colour.getHexString()}`);
export const viridisStyle = `linear-gradient(to right, ${viridisStops.join(",")})`;

/** Colour of a value between 0 and 1, into `out` at `at`. */
export function writeScale(value: number, out: Float32Array, at: number): void {
  const place = Math.min(Math.max(value, 0), 1) * (viridis.length - 1);
  const i = Math.min(Math.floor(place), viridis.length - 2);
  const part = place - i;
  const a = viridis[i];
  const b = viridis[i + 1];
  out[at] = a.r + part * (b.r - a.r);
  out[at + 1] = a.g + part * (b.g - a.g);
  out[at + 2] = a.b + part * (b.b - a.b);
}

/** Stays the same for a body when others are hidden: by its place among those that are no obstacles. */
export function colourOfBody(index: number): Color {
  const colour = new Color(bodyColours[index % bodyColours.length]);
  const round = Math.floor(index / bodyColours.length);
  return round === 0 ? colour : colour.offsetHSL(0, -0.08 * (round % 3), 0.07 * (((round + 1) % 3) - 1));
}

/** 256 colours for clouds: the scale; or, for contacts, at rest, sticking, sliding. */
export function palette(mode: ColourMode, base: Color): Uint8Array {
  const bytes = new Uint8Array(256 * 4);
  const colour = new Float32Array(3);
  const stick = new Color(stickColour);
  const slide = new Color(slideColour);
  for (let i = 0; i < 256; ++i) {
    if (mode === "body" || (mode === "penetration" && i === 0)) base.toArray(colour);
    else if (mode === "contact") (i < 85 ? base : i < 170 ? stick : slide).toArray(colour);
    else writeScale(i / 255, colour, 0);
    for (let c = 0; c < 3; ++c) bytes[4 * i + c] = Math.round(255 * Math.sqrt(colour[c]));
    bytes[4 * i + 3] = 255;
  }
  return bytes;
}
