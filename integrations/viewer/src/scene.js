// SPDX-License-Identifier: MPL-2.0
// The picture: eye, light, ground, and the size of the window.
import { Box3, DirectionalLight, HemisphereLight, Mesh, NeutralToneMapping, PCFShadowMap, PerspectiveCamera, PlaneGeometry, PMREMGenerator, Scene,
  ShadowMaterial, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';

/** Room left around what is shown, a little of it for the bar. */
const MARGIN = 1.3;
/** Width over height of the pictures that a scene's camera is meant for: narrower windows see as much from side to side. */
const WIDE = 16 / 9;

/** The axis `up`, and two level ones, in the order of `meniscus render`. */
function axes(up) {
  const sky = new Vector3().setComponent(up, 1);
  return { sky, side: new Vector3(sky.y, sky.z, sky.x), front: new Vector3(sky.z, sky.x, sky.y) };
}

export class Stage {
  /** `box` holds everything that is ever shown. */
  constructor(canvas, run, box) {
    this.run = run;
    this.box = box;
    this.axes = axes(run.up);
    this.radius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-3);
    this.scene = new Scene();
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;      // shadows change with the frame, not with the eye
    this.camera = new PerspectiveCamera(35, 1, this.radius / 100, this.radius * 100);
    this.camera.up.copy(this.axes.sky);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.light();
    if (!run.flat) this.ground();
    this.changed = true;
    this.controls.addEventListener('change', () => { this.changed = true; });
  }

  light() {
    const pmrem = new PMREMGenerator(this.renderer), room = new RoomEnvironment();
    this.scene.environment = pmrem.fromScene(room, 0.04).texture;
    this.scene.environmentIntensity = 0.45;
    if (this.run.up === 2) this.scene.environmentRotation.x = Math.PI / 2;
    if (this.run.up === 0) this.scene.environmentRotation.z = -Math.PI / 2;
    room.dispose();
    pmrem.dispose();
    const { sky, side, front } = this.axes, middle = this.box.getCenter(new Vector3());
    const above = new HemisphereLight(0xffffff, 0xb8b0a6, 0.6), sun = new DirectionalLight(0xfff6e8, 2.1);
    above.position.copy(sky);
    sun.position.copy(middle).addScaledVector(sky, 2.4 * this.radius).addScaledVector(side, -1.1 * this.radius).addScaledVector(front, 1.2 * this.radius);
    sun.target.position.copy(middle);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.radius = 4;
    sun.shadow.normalBias = 0.004 * this.radius;
    const eye = sun.shadow.camera;
    eye.left = eye.bottom = -1.3 * this.radius;
    eye.right = eye.top = 1.3 * this.radius;
    eye.near = 0.5 * this.radius;
    eye.far = 6 * this.radius;
    this.scene.add(above, sun, sun.target);
  }

  /** Nothing but a shadow, a little below everything. */
  ground() {
    const plane = new Mesh(new PlaneGeometry(8 * this.radius, 8 * this.radius), new ShadowMaterial({ opacity: 0.22, depthWrite: false }));
    plane.receiveShadow = true;
    this.box.getCenter(plane.position);
    plane.position.setComponent(this.run.up, this.box.min.getComponent(this.run.up) - 0.004 * this.radius);
    plane.lookAt(plane.position.clone().add(this.axes.sky));
    this.scene.add(plane);
  }

  add(object) { this.scene.add(object); }

  /** What is shown changed. */
  renew() {
    this.renderer.shadowMap.needsUpdate = true;
    this.changed = true;
  }

  /** The eye where the scene has it, or where it sees everything. */
  home() {
    const { camera, controls, run } = this, { sky, side, front } = this.axes;
    const given = run.flat ? null : run.camera;
    controls.enableDamping = false;           // an update without it ends what movement is left
    controls.update();
    if (given) {
      camera.position.fromArray(given.from);
      controls.target.fromArray(given.to);
    } else {
      const away = run.flat ? new Vector3(0, 0, 1) : front.clone().addScaledVector(side, 0.45).addScaledVector(sky, 0.38);
      this.box.getCenter(controls.target);
      camera.position.copy(controls.target).addScaledVector(away.normalize(), this.distance(away));
    }
    controls.update();
    controls.enableDamping = true;
    this.changed = true;
  }

  /** As near as possible with the whole box in view from the direction `away`. */
  distance(away) {
    const right = new Vector3().crossVectors(this.axes.sky, away).normalize(), up = new Vector3().crossVectors(away, right);
    const tall = Math.tan(this.camera.fov * Math.PI / 360) / MARGIN, wide = tall * this.camera.aspect;
    const { min, max } = this.box, middle = this.box.getCenter(new Vector3());
    let most = 0;
    for (let n = 0; n < 8; n++) {
      const v = new Vector3(n & 1 ? max.x : min.x, n & 2 ? max.y : min.y, n & 4 ? max.z : min.z).sub(middle);
      most = Math.max(most, Math.max(Math.abs(v.dot(right)) / wide, Math.abs(v.dot(up)) / tall) + v.dot(away));
    }
    return Math.max(most, 2 * this.camera.near);
  }

  /** Returns the height of the picture in pixels. */
  resize(width, height, ratio) {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    const angle = this.run.camera?.angle ?? 35 * Math.PI / 180;
    this.camera.aspect = width / Math.max(1, height);
    this.camera.fov = 2 * Math.atan(Math.tan(angle / 2) * Math.max(1, WIDE / this.camera.aspect)) * 180 / Math.PI;
    this.camera.updateProjectionMatrix();
    this.changed = true;
    return height * ratio;
  }

  /** Draw if anything changed. */
  draw() {
    this.controls.update();
    if (!this.changed) return;
    this.changed = false;
    this.renderer.render(this.scene, this.camera);
  }
}

/** The box of the parts, which a run without anything lacks: an empty stage. */
export function boxOf(parts) {
  const box = new Box3();
  for (const part of parts) {
    if (part.low[0] === null) continue;
    box.expandByPoint(new Vector3().fromArray(part.low));
    box.expandByPoint(new Vector3().fromArray(part.high));
  }
  return box.isEmpty() ? new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)) : box;
}
