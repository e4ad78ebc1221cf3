// Drives the replay page as a user does and checks what it shows. Argument: JSON from browser_test.py.
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { displayParts } from "./display.mjs";
import { quantityParts } from "./quantities.mjs";
import { steeringParts } from "./steering.mjs";

const config = JSON.parse(process.argv[2]);
const { chromium } = createRequire(config.packages)("playwright-core");
let failed = 0;

function check(what, holds, detail = "") {
  console.log(`${holds ? "ok     " : "FAILED "} ${what}${holds ? "" : `  ${detail}`}`);
  if (!holds) ++failed;
}

// The software renderer works the same on every machine.
const flags =
  "--no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --disable-gpu-sandbox --disable-quic --no-first-run " +
  "--disable-background-networking --disable-component-update --disable-sync";
const profile = mkdtempSync(join(tmpdir(), "stickslip-browser-"));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: config.chromium,
  headless: true,
  args: flags.split(" "),
  viewport: { width: 1000, height: 700 },
});

/** Waits until something holds in the page. (The page forbids the evaluation of text that Playwright's own way needs.) */
async function until(page, condition, argument, seconds = 60) {
  const end = Date.now() + 1000 * seconds;
  while (!(await page.evaluate(condition, argument))) {
    if (Date.now() > end) throw new Error(`did not come true in ${seconds} s: ${condition}`);
    await page.waitForTimeout(30);
  }
}

/** Opens a page and waits until it shows something; collects what goes wrong and every request. */
async function open(url) {
  const page = await context.newPage();
  const faults = [];
  const requests = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(url);
  await until(page, () => window.stickslip !== undefined, null, 120);
  const state = () => page.evaluate(() => window.stickslip.state());
  const scrub = async (frame) => {
    await page.evaluate((f) => {
      const slider = document.getElementById("slider");
      slider.value = f;
      slider.dispatchEvent(new Event("input"));
    }, frame);
    await until(page, (f) => window.stickslip.state().shown === f, frame);
  };
  return { page, faults, requests, state, scrub };
}

/** The canvas as numbers: how many colours, and the picture itself to compare with another. */
function picture(page) {
  return page.evaluate(() => {
    window.stickslip.state(); // draws
    const canvas = document.querySelector("#stage canvas");
    const copy = document.createElement("canvas");
    copy.width = 160;
    copy.height = 100;
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0, 160, 100);
    return Array.from(context.getImageData(0, 0, 160, 100).data);
  });
}
const colours = (pixels) => {
  const seen = new Set();
  for (let i = 0; i < pixels.length; i += 4) seen.add((pixels[i] >> 3) * 1024 + (pixels[i + 1] >> 3) * 32 + (pixels[i + 2] >> 3));
  return seen.size;
};
const changed = (a, b) => {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 24) ++count;
  return count;
};
const text = (page, selector) => page.locator(selector).innerText();
const plotted = (page) => text(page, "#plots .plot:not([hidden]) .keys >> nth=0");

async function twentyBodies() {
  const { page, faults, requests, state, scrub } = await open(config.pages.twenty);
  const start = await state();
  check("20 bodies: 41 frames, the first is shown", start.frames === 41 && start.shown === 0, JSON.stringify(start));
  check("under 100 draw calls", start.drawCalls > 10 && start.drawCalls < 100, start.drawCalls);
  console.log(`        draw calls for 20 bodies: ${start.drawCalls}`);
  const first = await picture(page);
  check("the picture is not blank", colours(first) > 20, colours(first));

  await page.selectOption("#speed", "0.05"); // so slowly that it does not end before it is asked
  await page.keyboard.press("Space");
  await until(page, () => window.stickslip.state().frame > 5);
  check("it plays", (await state()).playing);
  await page.keyboard.press("Space");
  check("it pauses", !(await state()).playing);
  const paused = (await state()).frame;
  await page.click("#forward");
  check("it steps on", (await state()).frame === paused + 1);
  await page.keyboard.press("ArrowLeft");
  check("it steps back", (await state()).frame === paused);
  const before = await plotted(page);
  await page.keyboard.press("End");
  await until(page, () => window.stickslip.state().shown === 40);
  check("it scrubs to the end", (await text(page, "#time")).includes("1.000 s"), await text(page, "#time"));
  check("plots follow the slider", (await plotted(page)) !== before, before);
  const last = await picture(page);
  check("bodies have moved", changed(first, last) > 100, changed(first, last));
  await page.selectOption("#speed", "4");
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await until(page, () => window.stickslip.state().frame === 40);
  check("it plays to the end and stops", !(await state()).playing);

  await scrub(10);
  const place = await page.evaluate(() => window.stickslip.placeOf(14));
  await page.mouse.click(place.x, place.y);
  const picked = (await state()).picked;
  check("a click in the picture picks a body", picked?.body === 14, JSON.stringify(picked));
  const panel = await text(page, "#selection");
  check("the panel tells its name, place, velocity, contacts", ["cube 13", "Position", "Velocity", "0.300, 0.0500, 0 m/s", "2 (1 stick, 1 slide)", "floor"].every((t) => panel.includes(t)), panel);
  check("the tracks of the body are plotted", (await text(page, "#plots")).includes("Speed of the body"));
  await page.keyboard.press("Escape");
  check("Esc picks nothing", (await state()).picked === null);

  const plot = await page.locator("#plots .plot:not([hidden]) canvas").first().boundingBox();
  await page.mouse.click(plot.x + plot.width / 2, plot.y + plot.height / 2);
  check("a click in a plot goes to that time", (await state()).frame === 20, (await state()).frame);

  const withArrows = await picture(page);
  await page.click("#arrows");
  check("contact forces can be hidden", changed(withArrows, await picture(page)) > 5 && !(await state()).look.arrows);
  await page.keyboard.press("c");
  await page.keyboard.press("k");
  check("friction cones can be shown", changed(withArrows, await picture(page)) > 5 && (await state()).look.cones);
  await page.keyboard.press("k");
  const plain = await picture(page);
  for (const mode of ["speed", "stress", "penetration", "contact"]) {
    await page.selectOption("#colour", mode);
    const now = await picture(page);
    check(`colouring by ${mode} changes the picture and has a legend`, changed(plain, now) > 20 && (await page.isVisible("#legend")), changed(plain, now));
  }
  await page.selectOption("#colour", "body");
  for (const button of ["shadows", "ground"]) await page.click(`#${button}`);
  check("without shadows it draws less", (await state()).drawCalls < start.drawCalls);
  for (const button of ["shadows", "ground"]) await page.click(`#${button}`);

  let view = await picture(page);
  for (const name of ["front", "side", "top", "overview"]) {
    await page.click(`#views [data-view=${name}]`);
    const now = await picture(page);
    check(`the ${name} view is another one, with bodies in it`, changed(view, now) > 200 && colours(now) > 12, changed(view, now));
    view = now;
  }
  const canvas = await page.locator("#stage canvas").boundingBox();
  const middle = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2];
  await page.mouse.move(...middle);
  await page.mouse.down();
  await page.mouse.move(middle[0] + 120, middle[1] + 30, { steps: 4 });
  await page.mouse.up();
  const turned = await picture(page);
  check("dragging turns the picture and picks nothing", changed(view, turned) > 200 && (await state()).picked === null);
  await page.mouse.wheel(0, -400);
  await page.waitForTimeout(200);
  check("the wheel zooms", changed(turned, await picture(page)) > 200);
  await page.keyboard.press("f");

  await page.click("#theme-button");
  check("dark is dark", (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)) === "rgb(20, 23, 26)");
  await page.keyboard.press("?");
  check("keys are listed", (await text(page, "#help")).includes("friction cones"));
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 390, height: 800 });
  await until(page, () => document.querySelector("#stage canvas").getBoundingClientRect().width === 390);
  const phone = await page.evaluate(() => {
    const canvas = document.querySelector("#stage canvas").getBoundingClientRect();
    const panel = document.getElementById("panel").getBoundingClientRect();
    return { width: canvas.width, height: canvas.height, below: panel.top >= canvas.bottom - 1, wide: document.documentElement.scrollWidth };
  });
  check("it fits a phone", phone.width === 390 && phone.height > 200 && phone.below && phone.wide <= 390, JSON.stringify(phone));
  check("and still shows bodies", colours(await picture(page)) > 20);
  check("no fault in the console", faults.length === 0, faults.join(" | "));
  check("nothing is asked from the network", requests.every((url) => /^(file|data|blob):/.test(url)), requests.join(" "));
  await page.close();
}

async function otherKinds() {
  for (const [name, frames] of [["slide", 21], ["clouds", 21], ["broken", 11], ["empty", 0]]) {
    const { page, faults, state, scrub } = await open(config.pages[name]);
    const before = await picture(page);
    check(`${name}: ${frames} frames`, (await state()).frames === frames, JSON.stringify(await state()));
    if (frames > 0) {
      await scrub(frames - 1);
      const now = await picture(page);
      check(`${name}: not blank, and it moves`, colours(now) > 15 && changed(before, now) > 10, `${colours(now)} ${changed(before, now)}`);
      const modes = await page.evaluate(() => [...document.getElementById("colour").options].filter((o) => !o.disabled).map((o) => o.value));
      check(`${name}: colours for what it has`, modes.includes("speed") && modes.includes("contact"), modes.join());
      for (const mode of modes) await page.selectOption("#colour", mode);
      await picture(page);
    } else {
      check("empty: it says so", (await text(page, "#message")).includes("no frames"));
      const seen = await page.evaluate(() => {
        const { left, top, width, height } = document.getElementById("stage").getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2).id;
      });
      check("empty: the words are not behind the picture", seen === "message", seen);
      check("empty: no arrows without contacts", (await state()).triangles < 1000, (await state()).triangles);
    }
    if (name === "broken") {
      await page.click("#notes-button");
      const notes = await text(page, "#help");
      check("broken: notes name the damaged files", ["summary.json", "body2_4.vtu", "body2_7.vtu"].every((f) => notes.includes(f)), notes);
      check("broken: it is said that the run is not finished", (await text(page, "#status")) === "not finished");
    }
    if (name === "clouds") {
      await page.locator("#bodies li").nth(1).click();
      const shaded = await picture(page);
      await page.click("#shadows");
      check("clouds: spheres cast shadows", changed(shaded, await picture(page)) > 100, changed(shaded, await picture(page)));
      check("clouds: a set of spheres can be picked", (await text(page, "#selection")).includes("grains"));
    }
    check(`${name}: no fault in the console`, faults.length === 0, faults.join(" | "));
    await page.close();
  }
}

async function rigidBodies() {
  const { page, faults, state, scrub } = await open(config.pages.rigid);
  check("rigid: the title is text", (await text(page, "#title")) === "</script><img src=x onerror=window.injected=1>" && (await page.locator("img").count()) === 0);
  const first = await picture(page);
  await scrub(15);
  check("rigid: the ball rolls", changed(first, await picture(page)) > 30);
  for (const [body, name] of [[1, "<img src=x onerror=alert(1)>"], [2, "contacts"], [3, "rigid_bodies"]]) {
    const place = await page.evaluate((b) => window.stickslip.placeOf(b), body);
    await page.mouse.click(place.x, place.y);
    const panel = await text(page, "#selection");
    check(`rigid: a click picks body ${body} with its contacts`, (await state()).picked?.body === body && panel.includes(name) && panel.includes("floor") && /\(\d+ stick/.test(panel), panel);
  }
  for (const mode of ["speed", "stress", "penetration", "contact"]) {
    await page.selectOption("#colour", mode);
    await picture(page);
  }
  check("rigid: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

async function injection() {
  const { page, faults, scrub } = await open(config.pages.injection);
  await page.locator("#bodies li").nth(1).click();
  await scrub(2);
  await page.waitForTimeout(200);
  check("names from scenes are text", (await page.evaluate(() => window.injected)) === undefined && (await page.locator("img").count()) === 0);
  check("and shown as they are", (await text(page, "#selection")).includes("</script><img src=x"));
  check("injection: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

/** Spheres that enter and leave, of which another one has the row in the next frame. */
async function passingSpheres() {
  const { page, faults, scrub } = await open(config.pages.passing + "#t=0.1&pick=0.9");
  const said = async () => (await text(page, "#selection")).replace(/\s+/g, " ");
  for (const [frame, height] of [[1, "0.750"], [2, "0.500"]]) {
    await scrub(frame);
    const now = await said();
    check(`passing: sphere 9 in frame ${frame}`, now.includes("grains, number 9") && now.includes(`Position 0.900, ${height}, 0 m`) && now.includes("Radius 90.0 mm"), now);
    if (frame === 2) check("passing: its speed is that of its own way", now.includes("Speed 2.50 m/s"), now);
  }
  await scrub(3);
  check("passing: it has left", (await said()).includes("not in this frame"), await said());
  check("passing: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

async function manySpheres() {
  const begin = Date.now();
  const { page, faults, state, scrub } = await open(config.pages.spheres);
  const opened = Date.now() - begin;
  const first = await picture(page);
  const start = await state();
  const scrubbing = Date.now();
  await scrub(50);
  await scrub(99);
  console.log(`        100,000 spheres: opened in ${opened} ms, two far jumps in ${Date.now() - scrubbing} ms, ${start.drawCalls} draw calls, positions to ${start.error} m`);
  check("100,000 spheres open and scrub", start.frames === 100 && (await state()).shown === 99 && changed(first, await picture(page)) > 200);
  check("all spheres are one draw call (and one for their shadows)", start.drawCalls <= 8, start.drawCalls);
  check("spheres: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

async function live() {
  const { page, faults, state } = await open(config.live);
  check("served: the frames so far, at the last one", (await state()).frames === 10 && (await state()).frame === 9, JSON.stringify(await state()));
  check("served: it is said to be running", (await text(page, "#status")) === "running");
  check("served: nothing to steer where no run listens", !(await page.isVisible("#steering")));
  writeFileSync(config.steer, "go\n");
  await page.waitForSelector("#steer-pause", { state: "visible" });
  await page.click("#steer-pause");
  await until(page, () => document.getElementById("steer-pause").getAttribute("aria-pressed") === "true");
  check("served: a run that listens is paused", readFileSync(config.steer, "utf8") === "pause\n");
  check("served: and it is said to be paused", (await text(page, "#status")) === "paused", await text(page, "#status"));
  await page.click("#steer-stop");
  await until(page, () => document.getElementById("steer-pause").getAttribute("aria-pressed") === "false");
  check("served: and stopped", readFileSync(config.steer, "utf8") === "stop\n");
  check("served: it is said to be stopping", (await text(page, "#status")) === "stopping", await text(page, "#status"));
  unlinkSync(config.steer);
  writeFileSync(`${config.summary}.new`, '{"status": "interrupted"}');
  renameSync(`${config.summary}.new`, config.summary);
  await until(page, () => document.getElementById("status").textContent === "stopped with checkpoint");
  check("served: a run that has stopped is said to have", !(await page.isVisible("#steering")));
  writeFileSync(`${config.series}.new`, config.whole);
  renameSync(`${config.series}.new`, config.series); // as the program does: whole or not at all
  await until(page, () => window.stickslip.state().frames === 41 && window.stickslip.state().shown === 40);
  check("served: new frames are followed", true);
  check("served: no fault in the console", faults.length === 0, faults.join(" | "));
  const strange = await fetch(config.live + "head", { headers: { host: "example.com" } }).catch(() => null);
  check("served: unknown paths are not found", (await fetch(config.live + "../scene.yaml")).status === 404);
  check("served: another method is refused", (await fetch(config.live, { method: "POST" })).status === 405);
  check("served: another host is refused", strange === null || strange.status === 403 || strange.ok);
  await page.close();
}

const tools = { config, context, open, until, picture, changed, check, text };
try {
  for (const part of config.display ? [...steeringParts, ...quantityParts, ...displayParts] : [twentyBodies, otherKinds, rigidBodies, injection, passingSpheres, manySpheres, live]) {
    try {
      await part(tools);
    } catch (error) {
      check(`${part.name} runs through`, false, error.stack);
    }
  }
} finally {
  await context.close();
  rmSync(profile, { recursive: true, force: true });
}
console.log(failed ? `${failed} failed` : "all hold");
process.exit(failed ? 1 : 0);
