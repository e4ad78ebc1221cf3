// A run that goes on and is steered from its page: paused, taken one step on, stopped.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** [s] of the last row of a table that the run writes. */
const lastRow = (folder, table) => Number(readFileSync(join(folder, table), "utf8").trimEnd().split("\n").pop().split(",")[0]);

/** What the page has of the run: the last frame, the last row of its tables, of the curves of a body. */
const shown = (page) =>
  page.evaluate(() => {
    const { replay } = window.stickslip;
    const last = (values) => values[values.length - 1];
    return { frame: last(replay.head.times), history: last(replay.tables.history.get("time")), track: last(replay.tables.tracks[1].time), time: window.stickslip.state().time };
  });
const near = (a, b) => Math.abs(a - b) < 5e-5; // times of tables are single precision here

/** On phones no button of the header is cut off, and the title can be read; also of a run of which there are notes. */
async function phones(page, check, until) {
  for (const [width, height] of [[390, 844], [360, 740], [667, 375]]) {
    await page.setViewportSize({ width, height });
    await until(page, (w) => document.getElementById("app").getBoundingClientRect().width === w, width);
    const { cut, title } = await page.evaluate(() => ({
      notes: (document.getElementById("notes-button").hidden = false), // a run of many steps has some
      cut: [...document.querySelectorAll("header :is(button, .chip)")].filter((one) => one.offsetParent).filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return left < 0 || right > window.innerWidth || !(one === seen || one.contains(seen));
      }).map((one) => one.id),
      title: document.getElementById("title").clientWidth,
    }));
    check(`steered: at ${width}x${height} no button of the header is cut off, and the title has room`, cut.length === 0 && title > 120, `${cut} ${title}`);
  }
  await page.setViewportSize({ width: 1000, height: 700 });
}

export async function steeredRun({ config, open, check, text, until }) {
  const { folder, address } = config.steered;
  const { page, faults } = await open(address);
  await page.waitForSelector("#steering", { state: "visible" });
  check("steered: a run that goes on", (await text(page, "#status")) === "running", await text(page, "#status"));
  await phones(page, check, until);
  await page.click("#steer-pause");
  await until(page, () => document.getElementById("status").textContent === "paused");
  const stands = async () => {
    const end = Date.now() + 20000;
    let now = await shown(page);
    while (!near(now.frame, lastRow(folder, "history.csv")) && Date.now() < end) {
      await page.waitForTimeout(100);
      now = await shown(page);
    }
    return now;
  };
  await page.waitForTimeout(1500); // as long as it takes to ask twice
  const paused = await stands();
  check("steered: paused, picture, tables and curves are of where the run stands", [paused.history, paused.track, paused.time, lastRow(folder, "history.csv"), lastRow(folder, "bodies.csv")].every((time) => near(time, paused.frame)), JSON.stringify(paused));
  await page.waitForTimeout(1500);
  check("steered: and it stands", near((await shown(page)).frame, paused.frame) && near(lastRow(folder, "history.csv"), paused.frame), JSON.stringify(await shown(page)));
  const clock = await text(page, "#time");
  await page.click("#steer-step");
  await until(page, (time) => window.stickslip.state().time > time + 1e-6, paused.time);
  const stepped = await stands();
  check("steered: one step is one step, and all of the page follows", near(stepped.frame, paused.frame + 0.0004) && near(stepped.history, stepped.frame) && near(stepped.track, stepped.frame), JSON.stringify([paused, stepped]));
  check("steered: the time that is shown is another one, however short the step", /^[\d.]+ s/.exec(await text(page, "#time"))[0] !== /^[\d.]+ s/.exec(clock)[0], `${clock} ${await text(page, "#time")}`);
  check("steered: and the run waits again", (await text(page, "#status")) === "paused", await text(page, "#status"));
  await page.click("#steer-pause");
  await until(page, (time) => window.stickslip.state().time > time + 0.002, stepped.time);
  check("steered: it goes on", (await text(page, "#status")) === "running", await text(page, "#status"));
  await page.click("#steer-stop");
  await until(page, () => document.getElementById("status").textContent === "stopped with checkpoint");
  // The page says so before the run has ended and the file it was steered by is gone.
  const over = async () => !existsSync(join(folder, "steer")) && !(await page.isVisible("#steering"));
  for (let waited = 0; waited < 10 && !(await over()); waited += 0.1)
    await page.waitForTimeout(100);
  const checkpoints = readdirSync(join(folder, "checkpoints")).filter((name) => name.endsWith(".ckpt"));
  check("steered: stopped, with a checkpoint", checkpoints.length > 0 && (await over()), checkpoints.join());
  check("steered: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

export const steeringParts = [steeredRun];
