import { element } from "./format";
import { Stage } from "./stage";

/** Saves what the canvas shows as a file. */
export function savePicture(stage: Stage, name: string): void {
  stage.draw();
  stage.renderer.domElement.toBlob((blob) => {
    if (!blob) return;
    const link = element("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${name.replace(/[^\p{L}\p{N}.,_ -]/gu, "").trim() || "stickslip"}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }, "image/png");
}
