import {
  Box3,
  Color,
  DirectionalLight,
  HemisphereLight,
  Object3D,
  PCFShadowMap,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

export type View = "overview" | "front" | "side" | "top";

/** Of the height of the picture. */
const mostCovered = 0.25;

/** Canvas, camera and light. Draws only when something has changed. */
export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(30, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly renderer: WebGLRenderer;
  /** Towards the light. */
  readonly light = new Vector3();
  readonly up: Vector3;
  readonly right: Vector3;
  readonly front: Vector3;
  private readonly sun = new DirectionalLight(0xffffff, 2.3);
  private readonly sky = new HemisphereLight(0xffffff, 0x8d939b, 1.35);
  /** Whether the user has turned or moved the picture. */
  moved = false;
  /** Called before drawing from another place than before. */
  onView: () => void = () => {};
  private stale = true;
  private viewStale = true;
  private pixels = new Vector2();
  /** [pixels] of the upper edge that the tools cover: the middle of the picture is that of the rest. */
  private covered = 0;

  constructor(
    private readonly container: HTMLElement,
    /** Lies over the upper edge of the picture. */
    private readonly tools: HTMLElement,
    gravity: Vector3,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.info.autoReset = false;
    this.renderer.localClippingEnabled = true;
    container.append(this.renderer.domElement);

    // Against gravity, along the nearest axis: gravity that is tilted to make a slope must not tilt the view.
    this.up = mainAxis(gravity).negate();
    if (this.up.lengthSq() === 0) this.up.set(0, 1, 0);
    this.right = Math.abs(this.up.x) > 0.5 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
    this.front = new Vector3().crossVectors(this.right, this.up);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => this.viewHasChanged());
    this.controls.addEventListener("start", () => (this.moved = true));

    this.light.copy(this.up).addScaledVector(this.right, 0.45).addScaledVector(this.front, 0.55).normalize();
    this.sky.position.copy(this.up);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.radius = 2.5;
    this.sun.shadow.intensity = 0.75;
    this.scene.add(this.sky, this.sun, this.sun.target);
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(container);
    observer.observe(tools);
    this.resize();
    const loop = () => {
      requestAnimationFrame(loop);
      if (this.stale) this.draw();
    };
    requestAnimationFrame(loop);
  }

  /** What is seen has changed: its shadows are drawn anew too. */
  invalidate(): void {
    this.stale = this.renderer.shadowMap.needsUpdate = true;
  }

  /** Shadows stay as they are. */
  private viewHasChanged(): void {
    this.stale = this.viewStale = true;
  }

  /** The camera goes along with what moves by `way`. */
  goAlong(way: Vector3): void {
    this.camera.position.add(way);
    this.controls.target.add(way);
    this.controls.update();
    this.viewHasChanged();
  }

  /** From this place at this one. */
  lookFrom(eye: Vector3, at: Vector3): void {
    this.camera.position.copy(eye);
    this.controls.target.copy(at);
    this.moved = true;
    this.setDepths(eye.distanceTo(at));
  }

  /** How long a pixel is at a place [m]. */
  pixelAt(x: Vector3): number {
    const depth = x.clone().applyMatrix4(this.camera.matrixWorldInverse).z;
    const tall = 2 * Math.tan((this.camera.fov * Math.PI) / 360);
    return (tall * Math.max(-depth, this.camera.near)) / this.height;
  }

  setBackground(colour: string): void {
    this.scene.background = new Color(colour);
    this.invalidate();
  }

  set shadows(on: boolean) {
    this.sun.castShadow = on;
    this.invalidate();
  }
  /** Of the picture [pixels]. */
  get height(): number {
    return Math.max(this.container.clientHeight, 1);
  }

  get shadows(): boolean {
    return this.sun.castShadow;
  }

  /** The light reaches as far as anything of interest goes. */
  lightUp(box: Box3): void {
    const centre = box.getCenter(new Vector3());
    const radius = Math.max(0.5 * box.getSize(new Vector3()).length(), 1e-6);
    this.sun.position.copy(centre).addScaledVector(this.light, 4 * radius);
    this.sun.target.position.copy(centre);
    const camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -1.15 * radius;
    camera.right = camera.top = 1.15 * radius;
    camera.near = 0.5 * radius;
    camera.far = 9 * radius;
    camera.updateProjectionMatrix();
    this.sun.shadow.bias = -0.0006;
    this.sun.shadow.normalBias = 0.006 * radius;
    this.invalidate();
  }

  /** Looks at the whole box, from where a standard view looks or, without one, from where the camera is. */
  fit(box: Box3, view?: View): void {
    const back = new Vector3().subVectors(this.camera.position, this.controls.target);
    if (view === "front") back.copy(this.front);
    else if (view === "side") back.copy(this.right);
    else if (view === "top") back.copy(this.up).addScaledVector(this.front, 1e-4);
    else if (view === "overview" || back.lengthSq() === 0)
      back.copy(this.front).addScaledVector(this.right, 0.55).addScaledVector(this.up, 0.5);
    back.normalize();
    const centre = box.getCenter(new Vector3());
    const aside = new Vector3().crossVectors(this.up, back).normalize();
    const above = new Vector3().crossVectors(back, aside);
    const wide = Math.tan((this.camera.fov * Math.PI) / 360) * this.camera.aspect * 0.94;
    const tall = (wide / this.camera.aspect) * (1 - this.covered / this.height);
    let distance = 0;
    for (let i = 0; i < 8; ++i) {
      const corner = new Vector3(
        i & 1 ? box.max.x : box.min.x,
        i & 2 ? box.max.y : box.min.y,
        i & 4 ? box.max.z : box.min.z,
      ).sub(centre);
      const needed = Math.max(Math.abs(corner.dot(aside)) / wide, Math.abs(corner.dot(above)) / tall);
      distance = Math.max(distance, needed + corner.dot(back));
    }
    distance = Math.max(distance, 1e-6);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(back, distance);
    this.setDepths(distance);
  }

  private setDepths(distance: number): void {
    this.camera.near = distance / 200;
    this.camera.far = distance * 60;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.camera.updateMatrixWorld();
    this.viewHasChanged();
  }

  /** A ray through a place of the window. */
  ray(x: number, y: number): Raycaster {
    const place = this.renderer.domElement.getBoundingClientRect();
    const at = new Vector2((2 * (x - place.left)) / place.width - 1, 1 - (2 * (y - place.top)) / place.height);
    const caster = new Raycaster();
    caster.setFromCamera(at, this.camera);
    return caster;
  }

  /** Where a point of the world is in the window. */
  place(point: Vector3): Vector2 {
    const rect = this.renderer.domElement.getBoundingClientRect();
    const p = point.clone().project(this.camera);
    return new Vector2(rect.left + ((p.x + 1) / 2) * rect.width, rect.top + ((1 - p.y) / 2) * rect.height);
  }

  add(...objects: Object3D[]): void {
    this.scene.add(...objects);
  }

  draw(): void {
    this.camera.updateMatrixWorld();
    if (this.viewStale) this.onView();
    this.stale = this.viewStale = false;
    this.renderer.info.reset();
    this.renderer.render(this.scene, this.camera);
  }

  private resize(): void {
    const width = Math.max(this.container.clientWidth, 1);
    const { height } = this;
    const covered = Math.min(this.tools.offsetTop + this.tools.offsetHeight, mostCovered * height);
    if (this.pixels.x === width && this.pixels.y === height && this.covered === covered) return;
    this.pixels.set(width, height);
    this.covered = covered;
    this.renderer.setSize(width, height);
    this.camera.setViewOffset(width, height, 0, -covered / 2, width, height);
    this.viewStale = true;
    this.draw();
  }
}

function mainAxis(v: Vector3): Vector3 {
  const largest = Math.max(Math.abs(v.x), Math.abs(v.y), Math.abs(v.z));
  if (largest === 0) return new Vector3();
  const axis = new Vector3();
  for (const key of ["y", "z", "x"] as const) {
    if (Math.abs(v[key]) === largest) {
      axis[key] = Math.sign(v[key]);
      break;
    }
  }
  return axis;
}
