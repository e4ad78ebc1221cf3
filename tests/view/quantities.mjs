// What can be plotted of a run beside its usual curves, and the numbers of what is selected: compared with the tables in the run folder.
import { readFileSync } from "node:fs";

/** Rows of a table of the run that a page shows, as objects. */
function table(page, name) {
  const [head, ...rows] = readFileSync(new URL(name, page), "utf8").trimEnd().split("\n").map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(head.map((column, i) => [column, Number.isNaN(Number(row[i])) && row[i] !== "nan" ? row[i] : Number(row[i])])));
}
const lastOf = (rows, key, name, time = Infinity) => rows.filter((row) => row[key] === name && row.time <= time + 1e-9).pop();

const listed = (page) => page.evaluate(() => [...document.querySelectorAll(".quantities li[role]")].map((row) => row.querySelector(".name").textContent));
const titles = (page) => page.evaluate(() => [...document.querySelectorAll("#plots .plot:not([hidden]) .head")].map((head) => head.firstChild.textContent));
const search = ".quantities .search";

/** Chooses the first that is found. */
async function choose(page, words) {
  await page.fill(search, words);
  const found = await listed(page);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  return found[0];
}

/** The numbers beside the curves of a plot, in SI units. */
const values = (page, title) =>
  page.evaluate((name) => {
    const plot = [...document.querySelectorAll("#plots .plot:not([hidden])")].find((one) => one.querySelector(".head").firstChild.textContent === name);
    return plot && [...plot.querySelectorAll(".keys b")].map((b) => Number(b.textContent.replace(/\u2212/g, "-")));
  }, title);

/** As shown, with three digits; what is small beside the largest need not be told apart from 0. */
const near = (shown, exact) => {
  const largest = Math.max(...exact.map(Math.abs));
  return shown?.length === exact.length && largest > 0 && exact.every((value, i) => Math.abs(shown[i] - value) < 6e-3 * Math.abs(value) + 5e-5 * largest);
};

async function chosenQuantities({ config, open, check, until }) {
  const { page, faults, state, scrub } = await open(config.pages.slide);
  await scrub(2);
  const usual = await titles(page);
  check("quantities: calm at first", usual.join() === "Probe below,Energy,Momentum,Contacts,Solver iterations per step", usual.join());
  await page.click(search);
  const all = await listed(page);
  check("quantities: a list of all, when asked for", all.length > 20 && all.includes("Torque of probe below") && all.includes("Contact torque on floor from cube") && all.includes("Contact torque on cube"), all.join());
  await page.keyboard.type("cube torque");
  check("quantities: found by their words", (await listed(page)).join() === "Contact torque on floor from cube,Contact torque on cube", (await listed(page)).join());
  check("quantities: letters typed there are no keys", !(await state()).loop && (await state()).look.path && (await state()).look.colour === "body");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  check("quantities: the list closes", !(await page.isVisible(".quantities ul")));
  const { time } = await state();
  const force = lastOf(table(config.pages.slide, "walls.csv"), "body", "cube", time);
  check("quantities: torque of contact on a body", near(await values(page, "Contact torque on cube"), [force.tx, force.ty, force.tz]), JSON.stringify([await values(page, "Contact torque on cube"), force]));
  const pair = lastOf(table(config.pages.slide, "pairs.csv"), "pair", "floor+cube", time);
  for (const [words, title, exact] of [
    ["force floor from cube", "Contact force on floor from cube", [pair.fx, pair.fy, pair.fz]],
    ["torque floor from cube", "Contact torque on floor from cube", [pair.tx, pair.ty, pair.tz]],
  ]) {
    check(`quantities: ${title} is found`, (await choose(page, words)) === title);
    check(`quantities: ${title} is that of the run`, near(await values(page, title), exact), JSON.stringify([await values(page, title), exact]));
  }
  const probe = lastOf(table(config.pages.slide, "probes.csv"), "probe", "below", time);
  await choose(page, "torque of probe");
  check("quantities: torque of a probe", near(await values(page, "Torque of probe below"), [probe.torque_x, probe.torque_y, probe.torque_z]), JSON.stringify([await values(page, "Torque of probe below"), probe]));
  check("quantities: the last one that was chosen is the first", (await titles(page))[0] === "Torque of probe below", (await titles(page)).join());

  await page.evaluate(() => document.querySelector('[aria-label="Take away: Energy"]').click());
  check("quantities: each can be taken away", !(await titles(page)).includes("Energy"));
  await until(page, () => location.hash.includes("probe_torque.below") && !location.hash.includes("energy"));
  const again = await open(await page.evaluate(() => location.href));
  check("quantities: a copy of the address plots the same", (await titles(again.page)).join() === (await titles(page)).join(), (await titles(again.page)).join());
  await again.page.close();
  await choose(page, "energy");
  check("quantities: and comes again", (await titles(page))[0] === "Energy");
  await choose(page, "neighbour cube");
  await scrub(10);
  const pressed = await values(page, "Contact force of each neighbour on cube");
  await page.evaluate((t) => {
    const { replay, panel } = window.stickslip; // as if they had not touched in this frame
    const loads = replay.tables.loads.map((load) => {
      const kept = load.table === "pairs" && [...load.columns.get("time").keys()].filter((row) => Math.abs(load.columns.get("time")[row] - t) > 1e-6);
      return kept ? { ...load, columns: new Map([...load.columns].map(([name, column]) => [name, Float32Array.from(kept, (row) => column[row])])) } : load;
    });
    replay.tables = { ...replay.tables, loads };
    panel.fillPlots();
  }, (await state()).time);
  const flies = await values(page, "Contact force of each neighbour on cube");
  check("quantities: no force of a pair in a frame in which it does not touch", pressed[0] > 5 && flies[0] === 0, `${pressed} ${flies}`);
  check("quantities: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

async function granularQuantities({ config, open, check, text }) {
  const { page, faults, scrub } = await open(config.pages.grains);
  await scrub(10);
  const core = lastOf(table(config.pages.grains, "packing.csv"), "region", "core");
  for (const [title, columns] of [
    ["Normal stress in region core", ["stress_xx", "stress_yy", "stress_zz"]],
    ["Shear stress in region core", ["stress_xy", "stress_xz", "stress_yz"]],
    ["Fabric in region core", ["fabric_xx", "fabric_yy", "fabric_zz"]],
    ["Contacts per sphere in region core", ["coordination", "mechanical_coordination"]],
  ]) {
    await choose(page, title);
    const exact = columns.map((column) => core[column]);
    check(`grains: ${title} is that of the run`, near(await values(page, title), exact), JSON.stringify([await values(page, title), exact]));
  }
  await page.fill(search, "stress of all");
  check("grains: the stress of a domain without volume is not offered", (await listed(page)).length === 0, (await listed(page)).join());
  await page.keyboard.press("Escape");

  const floor = lastOf(table(config.pages.grains, "pairs.csv"), "pair", "floor+gravel");
  await page.locator("#bodies li").nth(1).click();
  const total = await values(page, "Contact force on the body");
  check("grains: total contact force on all spheres", near(total, [-floor.fx, -floor.fy, -floor.fz]), JSON.stringify([total, floor]));
  const panel = (await text(page, "#selection")).replace(/\s+/g, " ");
  check("grains: it is in the panel too, and what acts within the body is not", panel.includes(`, ${total[1].toPrecision(3)}, `) && !panel.includes("gravel:"), panel);

  const counted = await page.evaluate(() => {
    const app = window.stickslip;
    const { contacts, bodies } = app.theatre.frame;
    const expected = contacts.count + contacts.surfaceBody.filter((b) => b === 1).length;
    let told = 0;
    for (let point = 0; point < bodies[1].points.count; ++point) {
      app.pick({ body: 1, point });
      told += Number(/Contacts(\d+) \(/.exec(document.querySelector("#selection dl").textContent)?.[1] ?? 0);
    }
    return [told, expected];
  });
  check("grains: each contact of two spheres is told of both", counted[0] === counted[1] && counted[1] > 150, counted.join());
  check("grains: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

async function numbersOfSelected({ config, open, check, text }) {
  const { page, faults, scrub } = await open(config.pages.slide);
  const rows = table(config.pages.slide, "walls.csv").filter(({ body }) => body === "cube");
  await page.locator("#bodies li").nth(1).click();
  check("selected: before the first step nobody knows of forces", (await text(page, "#selection")).includes("known from the first step on") || rows[0].time === 0, await text(page, "#selection"));
  for (const frame of [2, 5]) {
    await scrub(frame);
    const panel = (await text(page, "#selection")).replace(/\s+/g, " ").replace(/\u2212/g, "-");
    const wrapped = await page.evaluate(() => [...document.querySelectorAll("#selection dd")].filter((dd) => dd.offsetHeight > 28).map((dd) => dd.innerText));
    check(`selected: each quantity has one line in frame ${frame}`, wrapped.length === 0, wrapped.join(" | "));
    const { time } = await page.evaluate(() => window.stickslip.state());
    const { fy, tz } = rows.find((row) => Math.abs(row.time - time) < 1e-6);
    const [, y] = /Contact force [-\d.e]+, ([-\d.e]+), [-\d.e]+ N /.exec(panel) ?? [];
    const [, z, prefix] = /Contact torque [-\d.e]+, [-\d.e]+, ([-\d.e]+) (m?)N m /.exec(panel) ?? [];
    check(`selected: contact force and torque now, with units, in frame ${frame}`, near([Number(y)], [fy]) && near([Number(z) * (prefix ? 1e-3 : 1)], [tz]), `${panel} ${fy} ${tz}`);
  }
  const sideways = await page.evaluate(() => {
    const { replay } = window.stickslip;
    return replay.tables.tracks[1].x[2].some((z) => Math.abs(z) > replay.roundOff("m"));
  });
  const place = await values(page, "Position of the body");
  check("selected: in plots components are 0 beside much larger ones", sideways && place[0] > 0.01 && place[2] === 0, `${sideways} ${place}`);
  const upward = () => page.evaluate(() => window.stickslip.theatre.marks.objects[1].instanceMatrix.array[5] > 0); // of the first arrow
  check("selected: arrows are forces on the cube", await upward());
  await page.locator("#bodies li").nth(0).click();
  check("selected: or on the floor", !(await upward()));
  await page.keyboard.press("Escape");
  check("selected: without a selection on what moves", await upward());

  const held = await open(config.pages.held);
  await held.page.locator("#bodies li").filter({ hasText: "shelf" }).click();
  await held.page.keyboard.press("End");
  const panel = (await text(held.page, "#selection")).replace(/\s+/g, " ");
  check("selected: and what holds it", /Reaction force 0, 1\.37, 0 N/.test(panel) && panel.includes("Reaction torque"), panel);
  const crown = table(config.pages.held, "reactions.csv").filter(({ region }) => region === "crown").pop();
  for (const title of ["Torque of bar.crown", "Reaction of bar.crown"]) check(`held: ${title} is found`, (await choose(held.page, title)) === title);
  const shown = await values(held.page, "Reaction of bar.crown");
  check("held: what holds a region is that of the run", near(shown, [crown.fx, crown.fy, crown.fz]), JSON.stringify([shown, crown]));
  await held.page.close();

  const few = await open(config.pages.two);
  await few.page.locator("#bodies li").nth(1).click();
  await few.scrub(5);
  const still = (await text(few.page, "#selection")).replace(/\s+/g, " ");
  const exact = await few.page.evaluate(() => Math.max(...window.stickslip.replay.tables.tracks[1].v[0]));
  check("selected: round-off is 0, in the panel alone", still.includes("Velocity 0, 0, 0 m/s Speed 0 m/s") && exact > 0 && exact < 1e-14, `${still} ${exact}`);
  check("selected: and in the plots", (await values(few.page, "Speed of the body")).join() === "0", await values(few.page, "Speed of the body"));
  await few.page.evaluate(() => (window.stickslip.replay.head.round_off = {}));
  await few.scrub(6);
  const bare = (await text(few.page, "#selection")).replace(/\s+/g, " ");
  check("selected: what is round-off, the program says", /Speed 4\.\d*e.15 m\/s/.test(bare), bare);
  await few.page.close();
  check("selected: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

async function unrecordedQuantities({ config, open, check, text }) {
  const { page } = await open(config.pages.rigid); // contacts in its frames, no table of pairs
  await page.click(search);
  check("unrecorded: the list says how to record forces of pairs", (await text(page, ".quantities ul")).includes("not recorded: write output.contacts: true"), await text(page, ".quantities ul"));
  await page.close();
  const slide = await open(config.pages.slide);
  await slide.page.click(search);
  check("unrecorded: and nothing where they are", !(await text(slide.page, ".quantities ul")).includes("not recorded"));
  await slide.page.close();
  const spheres = await open(config.pages.unrecorded);
  await spheres.page.locator("#bodies li").nth(1).click();
  check("unrecorded: so does the panel", (await text(spheres.page, "#selection")).includes("not recorded: write output.contacts: true"), await text(spheres.page, "#selection"));
  await spheres.page.close();
}

/** One of a few bodies runs away. */
async function runAway({ config, open, check }) {
  const distance = ({ eye, at }) => Math.hypot(...eye.map((x, i) => x - at[i]));
  for (const name of ["two", "four"]) {
    const { page, state } = await open(config.pages[name]);
    check(`${name}: the run-away cube does not make the scene small`, distance(await state()) < 6, distance(await state()));
    await page.click("#views [data-view=all]");
    check(`${name}: but all can be seen`, distance(await state()) > 40, distance(await state()));
    await page.click("#views [data-view=fit]");
    check(`${name}: or not`, distance(await state()) < 6, distance(await state()));
    await page.keyboard.press("e");
    check(`${name}: E shows all`, distance(await state()) > 40, distance(await state()));
    await page.close();
  }
  const { page } = await open(config.pages.slide);
  check("no button for run-aways where none ran away", !(await page.isVisible("#views [data-view=all]")));
  await page.close();
}

/** Legends of colours and forces. */
async function legends({ config, open, check, text, until }) {
  const { page } = await open(config.pages.twenty);
  await page.selectOption("#colour", "speed");
  const ends = () => page.evaluate(() => [...document.querySelectorAll("#legend .ends")].map((one) => [...one.children].map((end) => end.textContent)));
  check("legend: numbers at both ends of the colours", /^0 m\/s$/.test((await ends())[0][0]) && /^\u2265 [\d.]+ m?m\/s$/.test((await ends())[0][1]), JSON.stringify(await ends()));
  await page.click("#chains");
  check("legend: and of force chains", /^0 N$/.test((await ends())[1][0]) && /^\u2265 [\d.]+ m?N$/.test((await ends())[1][1]), JSON.stringify(await ends()));
  await page.click("#chains");
  check("legend: not of what is not drawn", (await ends()).length === 1);
  const arrow = () => page.evaluate(() => document.querySelector("#force-key .arrow").getBoundingClientRect().width);
  check("legend: an arrow to scale", !(await text(page, "#force-key")).includes("enlarged") && (await arrow()) > 18, await text(page, "#force-key"));
  await page.evaluate(() => (location.hash = "#t=0.5&eye=30,40,200&at=0,0,0"));
  await until(page, () => window.stickslip.state().eye[2] > 100);
  const head = 8;
  check("legend: from afar it keeps a shaft, and says that it is not to scale", (await arrow()) >= 2 * head && (await text(page, "#force-key")).includes("enlarged"), `${await arrow()} ${await text(page, "#force-key")}`);
  await page.close();
}

/** All controls of the toolbar and the header can be reached, or seen to go on. */
async function controls({ config, open, check, until }) {
  const { page } = await open(config.pages.slide);
  const right = (selector) => page.evaluate((one) => document.querySelector(one).getBoundingClientRect().right, selector);
  await page.setViewportSize({ width: 1280, height: 800 });
  await until(page, () => document.getElementById("app").getBoundingClientRect().width === 1280 && !document.getElementById("tools").classList.contains("more-right"));
  await page.selectOption("#cut", "x");
  await page.waitForTimeout(200);
  const edge = await right("#tools");
  check("controls: with a cut at 1280 pixels, no button is beyond the edge without a cue", (await right("[data-view=top]")) <= edge || (await page.isVisible("#more-right")), `${await right("[data-view=top]")} ${edge}`);
  if (await page.isVisible("#more-right")) {
    await page.click("#more-right");
    await until(page, () => document.querySelector("[data-view=top]").getBoundingClientRect().right <= document.getElementById("tools").getBoundingClientRect().right);
  }
  await page.selectOption("#cut", "");
  await page.setViewportSize({ width: 390, height: 844 });
  await until(page, () => document.getElementById("app").getBoundingClientRect().width === 390);
  const title = await page.evaluate(() => {
    const { clientWidth, scrollWidth, clientHeight, scrollHeight } = document.getElementById("title");
    return { clientWidth, whole: scrollWidth <= clientWidth && scrollHeight <= clientHeight + 1 };
  });
  await page.click("#help-button");
  check("controls: notes and keys begin at their beginning", (await page.evaluate(() => document.getElementById("help").scrollTop)) === 0);
  await page.keyboard.press("Escape");
  for (const [width, height] of [[390, 844], [844, 390]]) {
    await page.setViewportSize({ width, height });
    await until(page, (w) => document.getElementById("app").getBoundingClientRect().width === w, width);
    await page.click(search);
    const { above, below } = await page.evaluate((field) => {
      const [panel, input, list] = ["#panel", field, ".quantities ul"].map((one) => document.querySelector(one).getBoundingClientRect());
      return { above: input.top - panel.top, below: panel.bottom - list.bottom };
    }, search);
    check(`controls: at ${width}x${height} the list of quantities is beneath its field, both in sight`, above >= -1 && below >= -1, `${above} ${below}`);
    await page.keyboard.press("Escape");
  }
  check("controls: the title can be read on a phone", title.clientWidth > 300 && title.whole, JSON.stringify(title));
  await page.close();
}

export const quantityParts = [chosenQuantities, granularQuantities, numbersOfSelected, unrecordedQuantities, runAway, legends, controls];
