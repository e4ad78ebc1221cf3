// What is shown of a run and how: bodies, walls, cuts, forces, plots, the address of the page, a second run over it.

const visible = (page) => page.evaluate(() => [...document.querySelectorAll("#bodies li")].filter((li) => !li.hidden).map((li) => li.querySelector(".name").textContent));
const drag = (page, id, value) =>
  page.evaluate(
    ([name, to]) => {
      const slider = document.getElementById(name);
      slider.value = to;
      slider.dispatchEvent(new Event("input"));
    },
    [id, value],
  );
const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

/** The picture that the page saves, beside what the canvas shows: what is written into its corners. */
async function saved(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("i")]);
  const { readFileSync } = await import("node:fs");
  const data = readFileSync(await download.path()).toString("base64");
  const areas = await page.evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    window.stickslip.state(); // draws
    const shown = document.querySelector("#stage canvas");
    const pixels = (from) => {
      const canvas = document.createElement("canvas");
      canvas.width = shown.width;
      canvas.height = shown.height;
      const context = canvas.getContext("2d", { willReadFrequently: true });
      context.drawImage(from, 0, 0);
      return (x, y, w, h) => Array.from(context.getImageData(x, y, w, h).data);
    };
    const [own, plain] = [pixels(image), pixels(shown)];
    const { height } = shown;
    const places = { title: [0, 12, 320, 24], time: [0, 38, 120, 20], forces: [0, height - 90, 240, 20], colours: [0, height - 66, 200, 50] };
    return Object.fromEntries(Object.entries(places).map(([name, at]) => [name, [own(...at), plain(...at)]]));
  }, data);
  const differing = (a, b) => a.filter((value, i) => i % 4 === 0 && Math.abs(value - b[i]) > 40).length;
  return {
    areas,
    written: (name) => differing(...areas[name]),
    same: (name, other) => differing(areas[name][0], other.areas[name][0]) < 10,
  };
}

/** A bin: floor, front wall, ten bricks of which one runs away, a lid far below that nobody looks through. */
async function visibility({ config, open, picture, changed, check, until }) {
  const { page, faults, state } = await open(config.pages.bin);
  const start = await state();
  const front = 1;
  check("bin: the wall before the bricks is transparent", start.faded.length === 1 && start.faded[0] === front, JSON.stringify(start.faded));
  check("bin: the run-away brick does not make the scene small", distance(start.eye, start.at) < 8, distance(start.eye, start.at));
  const through = await picture(page);
  await page.click("#seeThrough");
  check("bin: solid when asked for", (await state()).faded.length === 0 && changed(through, await picture(page)) > 200);
  await page.keyboard.press("x");
  await page.evaluate(() => (location.hash = "#t=0&eye=0,1,-5&at=0,0.3,0"));
  await until(page, () => window.stickslip.state().eye[2] < -4);
  check("bin: from behind it is not in the way", (await state()).faded.length === 0, JSON.stringify((await state()).faded));
  await page.click("#views [data-view=overview]");

  check("bin: copies are folded", JSON.stringify(await visible(page)) === '["floor","front","brick"]', JSON.stringify(await visible(page)));
  await page.click("#bodies li.family .name");
  check("bin: and unfold", (await visible(page)).length === 13, JSON.stringify(await visible(page)));
  await page.fill(".search", "ck[7");
  check("bin: each row has an eye that is seen", await page.locator("#bodies li:not([hidden]) .eye").first().isVisible());
  check("bin: search finds one", JSON.stringify(await visible(page)) === '["brick[7]"]', JSON.stringify(await visible(page)));
  await page.fill(".search", "");
  const all = await picture(page);
  await page.locator("#bodies li:not([hidden])").filter({ hasText: "brick[4]" }).locator(".eye").click();
  const one = await state();
  check("bin: the eye of a body hides it alone", one.opacity[6] === 0 && one.opacity.filter((o) => o === 1).length === 11 && changed(all, await picture(page)) > 5, JSON.stringify(one.opacity));
  await page.locator("#bodies li:not([hidden])").filter({ hasText: "brick[4]" }).locator(".eye").click();
  await page.locator("#bodies li:not([hidden])").filter({ hasText: "brick[4]" }).locator(".name").click();
  await page.evaluate(() => {
    const slider = document.querySelector("#selection .opacity");
    slider.value = "0.2";
    slider.dispatchEvent(new Event("input"));
  });
  check("bin: opacity of a body", (await state()).opacity[6] === 0.2 && changed(all, await picture(page)) > 5, JSON.stringify((await state()).opacity));
  await page.keyboard.press("a");
  await page.keyboard.press("Escape");
  const behind = await page.evaluate(() => window.stickslip.placeOf(4));
  await page.mouse.click(behind.x, behind.y);
  check("bin: clicks go through the transparent wall", (await state()).picked?.body === 4, JSON.stringify((await state()).picked));
  await page.keyboard.press("Escape");
  const before = await picture(page);
  await page.locator("#bodies li.family .eye").click();
  const hidden = await state();
  check("bin: the eye of a family hides it", hidden.opacity.slice(2).every((o) => o === 0) && hidden.opacity[0] === 1 && changed(before, await picture(page)) > 100, JSON.stringify(hidden.opacity));
  await page.keyboard.press("a");
  check("bin: all are shown again", (await state()).opacity.every((o) => o === 1));
  await page.evaluate(() => {
    const slider = document.querySelector("#bodies li.family .opacity");
    slider.value = "0.3";
    slider.dispatchEvent(new Event("input"));
  });
  check("bin: opacity of a family", (await state()).opacity.slice(2).every((o) => o === 0.3) && changed(before, await picture(page)) > 50);
  await page.keyboard.press("a");

  await page.selectOption("#cut", "x");
  const cut = await picture(page);
  check("bin: a plane cuts", changed(before, cut) > 100, changed(before, cut));
  await page.click("#seeThrough");
  const flat = (pixels) => pixels.filter((_, i) => i % 4 === 0 && [0xa7, 0xad, 0xb4].every((c, k) => Math.abs(pixels[i + k] - c) < 2)).length;
  check("bin: faces of the cut are flat in the body's colour", flat(await picture(page)) > flat(through) + 200, flat(await picture(page)));
  await page.click("#seeThrough");
  await drag(page, "cut-at", 0.2);
  check("bin: and can be moved", changed(cut, await picture(page)) > 30);
  await page.selectOption("#cut", "y");
  await drag(page, "cut-at", 0);
  check("bin: a cut takes the shadows on the ground too", (await state()).darkestUnder === 0, (await state()).darkestUnder);
  await page.selectOption("#cut", "");
  const sides = await page.evaluate(() => [0, 1].map((body) => window.stickslip.theatre.cast.solids.get(body).mesh.material.side));
  check("bin: what is open has two sides, what is closed has one again", sides.join() === "2,0", sides.join());
  await page.click("#bodies li:first-child .name");
  await page.keyboard.press("f");
  check("bin: fitting the floor shows the scene", distance((await state()).eye, (await state()).at) < 8, distance((await state()).eye, (await state()).at));
  check("bin: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

async function nothingRecorded({ config, open, check, text }) {
  const { page, faults } = await open(config.pages.unrecorded);
  const disabled = await page.evaluate(() => ({
    buttons: ["arrows", "chains", "cones"].filter((id) => document.getElementById(id).disabled),
    options: [...document.getElementById("colour").options].filter((o) => o.disabled).map((o) => o.value),
    why: document.getElementById("arrows").title,
  }));
  check("unrecorded: what has no data cannot be used", disabled.buttons.length === 3 && disabled.options.join() === "stress,penetration,contact", JSON.stringify(disabled));
  check("unrecorded: and says why", disabled.why.includes("output.contacts"), disabled.why);
  await page.locator("#bodies li").nth(1).click();
  check("unrecorded: contacts are not said to be none", (await text(page, "#selection")).includes("not recorded"), await text(page, "#selection"));
  for (let i = 0; i < 4; ++i) await page.keyboard.press("b");
  check("unrecorded: B passes by what has no data", (await page.evaluate(() => document.getElementById("colour").value)) === "body" && !(await page.isVisible("#legend")));
  check("unrecorded: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

async function forces({ config, open, picture, changed, check, text }) {
  const { page, faults, state } = await open(config.pages.twenty);
  check("forces: the shortest arrow can be seen", (await state()).shortestArrow > 10.9, (await state()).shortestArrow);
  check("forces: a legend says how long one newton is", /^= [125]0* m?N\s+sticks\s+slides/.test((await text(page, "#force-key")).replace(/\n/g, " ").trim()), await text(page, "#force-key"));
  const keyed = () => page.evaluate(() => document.getElementById("force-key").textContent + document.querySelector("#force-key .arrow").style.width);
  const usual = await keyed();
  const keyPixels = await page.evaluate(() => document.querySelector("#force-key .arrow").getBoundingClientRect().width);
  const drawn = await page.evaluate(() => {
    const { theatre } = window.stickslip; // the arrow of that force, drawn where the picture has its middle
    const { marks, stage } = theatre;
    const { force } = marks.roundForce(60);
    const { reference, length } = marks.lengths();
    return ((force / reference) * length) / stage.pixelAt(stage.controls.target);
  });
  check("forces: its arrow is as long as those of the picture", Math.abs(keyPixels - drawn) < 0.6 && keyPixels > 15 && keyPixels <= 60, `${keyPixels} ${drawn}`);
  const short = await picture(page);
  await drag(page, "arrow-length", 1.5);
  check("forces: a slider makes arrows longer, and the legend knows", (await state()).look.arrowScale > 2.5 && (await keyed()) !== usual && changed(short, await picture(page)) > 20);
  await drag(page, "arrow-length", 0);
  for (const scale of ["run", "root"]) {
    await page.selectOption("#force-scale", scale);
    check(`forces: scale by ${scale}`, (await keyed()) !== usual && (await state()).look.forceScale === scale);
  }
  await page.selectOption("#force-scale", "frame");
  await page.keyboard.press("c");
  check("forces: no legend without arrows", !(await page.isVisible("#force-legend")));
  const bare = await picture(page);
  await page.keyboard.press("n");
  check("forces: chains of forces", changed(bare, await picture(page)) > 5, changed(bare, await picture(page)));
  check("forces: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

async function wayAndAddress({ config, context, open, picture, changed, check, text, until }) {
  const { page, faults, state, scrub } = await open(config.pages.twenty);
  const axes = () => page.evaluate(() => [...document.querySelectorAll("#triad line")].map((l) => [l.parentElement.textContent, Number(l.getAttribute("x2")), -Number(l.getAttribute("y2"))]));
  await page.click("#views [data-view=front]");
  await state();
  const front = Object.fromEntries((await axes()).map(([name, x, y]) => [name, [Math.round(x), Math.round(y)]]));
  check("axes: from the front x is right, y up", front.x[0] > 20 && front.x[1] === 0 && front.y[1] > 20 && front.y[0] === 0, JSON.stringify(front));
  const times = await page.evaluate(() => [...document.querySelector("#plots .plot:not([hidden])").querySelectorAll(".time")].map((t) => t.textContent));
  const lying = await page.evaluate(() => [...document.querySelectorAll("#plots .plot:not([hidden])")].flatMap((plot) => {
    const canvas = plot.querySelector("canvas").getBoundingClientRect();
    return [...plot.querySelectorAll(".labels span")].filter((label) => {
      const { right, top } = label.getBoundingClientRect();
      return label.classList.contains("value") ? right > canvas.left : top < canvas.bottom - 1;
    }).map((label) => label.textContent);
  }));
  check("plots: no label lies on a curve", times.length > 2 && lying.length === 0, JSON.stringify(lying));
  check("plots have a time axis", times[0] === "0" && times[times.length - 1] === "1 s", JSON.stringify(times));

  await page.locator("#bodies li").nth(6).click();
  const still = await picture(page);
  await page.click("#path");
  check("the path of the body can be hidden", changed(still, await picture(page)) >= 1);
  await page.click("#path");
  await page.keyboard.press("o");
  const from = (await state()).at;
  await scrub(40);
  const way = (await state()).at.map((x, i) => x - from[i]);
  check("the camera follows the selected body", distance(way, [0.3, 0.05, 0]) < 1e-5, JSON.stringify(way));
  await page.click("#follow");

  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#picture-button")]);
  check("the picture is saved", download.suggestedFilename() === "Twenty bodies of three kinds 1.000 s.png", download.suggestedFilename());
  await page.selectOption("#colour", "speed");
  const [captioned, early] = [await saved(page), await scrub(3).then(() => saved(page))];
  await page.click("#arrows");
  const bare = await saved(page);
  await page.click("#arrows");
  await scrub(40);
  await page.selectOption("#colour", "body");
  check("the saved picture has the title in it", captioned.written("title") > 150 && captioned.same("title", early), captioned.written("title"));
  check("and its time", captioned.written("time") > 40 && !captioned.same("time", early), captioned.written("time"));
  check("and the scale of forces, where there are arrows", captioned.written("forces") > 60 && bare.written("forces") === 0, `${captioned.written("forces")} ${bare.written("forces")}`);
  check("and that of colours", captioned.written("colours") > 300, captioned.written("colours"));

  await page.selectOption("#colour", "speed");
  await page.selectOption("#cut", "-y");
  await page.keyboard.press("h");
  await until(page, () => location.hash.includes("colour=speed") && location.hash.includes("opacity"));
  const [address, shown] = [await page.evaluate(() => location.href), await state()];
  const again = await open(address);
  const copy = await again.state();
  const same = (s) => JSON.stringify([s.frame, s.picked, s.look, s.opacity]);
  check("a copy of the address opens the same picture", same(copy) === same(shown) && distance(copy.eye, shown.eye) < 1e-3 && copy.frame === 40, `${same(copy)} ${same(shown)}`);
  await again.page.close();
  const nonsense = await open(`${config.pages.twenty}#t=x&eye=1,2&pick=99&cut=w:7&opacity=a:b,500:1&colour=blue&toggle=none`);
  check("an address without sense shows the run as usual", (await nonsense.state()).frame === 0 && (await nonsense.state()).picked === null && nonsense.faults.length === 0, nonsense.faults.join());
  await nonsense.page.close();

  await page.keyboard.press("a");
  await page.selectOption("#speed", "10");
  await page.keyboard.press("l");
  await page.keyboard.press("End");
  await page.keyboard.press("Space");
  await until(page, () => window.stickslip.state().shown === 40);
  await until(page, () => window.stickslip.state().shown < 40);
  check("a loop begins anew", (await state()).playing && (await state()).loop);
  await page.keyboard.press("Space");

  await page.setViewportSize({ width: 390, height: 800 });
  await until(page, () => document.getElementById("tools").classList.contains("more-right"));
  await page.evaluate(() => (document.getElementById("tools").scrollLeft = 1e4));
  await until(page, () => document.getElementById("tools").classList.contains("more-left") && !document.getElementById("tools").classList.contains("more-right"));
  check("phone: the toolbar shows where it goes on", true);
  for (const [width, height] of [[844, 390], [667, 375]]) {
    await page.setViewportSize({ width, height });
    await until(page, (w) => window.innerWidth === w && document.getElementById("app").getBoundingClientRect().width === w, width);
    const box = await page.evaluate(() => {
      const of = (id) => document.getElementById(id).getBoundingClientRect();
      const [stage, tools, panel] = [of("stage"), of("tools"), of("panel")];
      return { stage: [stage.width, stage.height], tools: tools.height, beside: panel.left >= stage.right - 1 && panel.width > 200, scrolls: document.documentElement.scrollWidth > window.innerWidth };
    });
    check(`phone on its side, ${width}x${height}: one row of tools, the picture is wide, the panel beside it`,
      box.tools < 60 && box.stage[0] > 400 && box.stage[1] > 0.7 * height && box.beside && !box.scrolls, JSON.stringify(box));
  }
  for (const [width, height] of [[900, 600], [1280, 800], [390, 844], [844, 390]]) {
    await page.setViewportSize({ width, height });
    await until(page, (w) => document.getElementById("app").getBoundingClientRect().width === w, width);
    await until(page, () => Math.abs(document.querySelector("#stage canvas").clientWidth - document.getElementById("stage").clientWidth) < 2);
    for (const view of ["overview", "front", "top"]) {
      await page.evaluate((name) => document.querySelector(`#views [data-view=${name}]`).click(), view);
      const { rows, below, over } = await page.evaluate(() => {
        const tools = [...document.querySelectorAll("#tools > *")].map((one) => one.getBoundingClientRect());
        const below = Math.max(...tools.map(({ bottom }) => bottom));
        const { theatre } = window.stickslip;
        const { min, max } = theatre.box;
        const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => theatre.stage.place(min.clone().set(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z)).y);
        return { rows: new Set(tools.map(({ top }) => Math.round(top))).size, below, over: Math.min(...corners) };
      });
      check(`toolbar, ${width}x${height}, ${view}: one row, over no body`, rows === 1 && over >= below, `${rows} ${below} ${over}`);
    }
  }
  await page.setViewportSize({ width: 900, height: 600 });
  await until(page, () => document.getElementById("tools").classList.contains("more-right"));
  await page.click("#more-right");
  await until(page, () => document.getElementById("tools").scrollLeft > 60);
  check("toolbar: a click on its end scrolls it", true);
  await page.selectOption("#cut", "");
  await page.setViewportSize({ width: 1280, height: 800 });
  await until(page, () => !["more-left", "more-right"].some((name) => document.getElementById("tools").classList.contains(name)));
  check("toolbar: whole at 1280 pixels", true);
  check("way: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

async function secondRun({ config, open, picture, changed, check, text, until }) {
  const { page, faults, state, scrub } = await open(config.pages.slide);
  await scrub(20);
  check("probes are plotted", (await text(page, "#plots")).includes("Probe below"), await text(page, "#plots"));
  await page.locator("#bodies li").nth(1).click();
  for (const title of ["Contact force on the body", "Contact torque on the body", "Contact force of each neighbour on the body"])
    check(`plotted: ${title}`, (await text(page, "#plots")).includes(title), await text(page, "#plots"));
  const pressed = page.locator("#plots .plot:not([hidden])").filter({ hasText: "Contact force of each neighbour on the body" });
  check("the floor presses by the weight of the cube", /floor\s*9\.[5-9]|floor\s*10\./.test((await pressed.innerText()).replace(/\n/g, " ")), await pressed.innerText());
  const alone = await picture(page);
  const { fileURLToPath } = await import("node:url");
  await page.setInputFiles("#compare-file", fileURLToPath(config.pages.slower));
  await until(page, () => window.stickslip.state().ghost === 20);
  const over = await picture(page);
  check("a second run is drawn over the first", changed(alone, over) > 20, changed(alone, over));
  const title = (await text(page, "#title")).replace(/\s+/g, " ");
  check("two runs of one title are told apart by their folders", title === "slide, over it slower: A small cube slides on a floor", title);
  await page.keyboard.press("h");
  const left = await picture(page);
  check("a body that is hidden is hidden in both", changed(alone, left) > 20 && changed(over, left) > changed(over, alone), `${changed(over, left)} ${changed(over, alone)}`);
  await page.keyboard.press("c");
  const bare = await picture(page);
  await page.keyboard.press("a");
  await page.selectOption("#cut", "y");
  await drag(page, "cut-at", 0);
  const cut = await picture(page);
  check("a plane cuts both", changed(cut, bare) < 30, changed(cut, bare));
  await page.selectOption("#cut", "");
  await page.keyboard.press("c");
  const dashed = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#plots .plot:not([hidden])")].map((plot) => {
    const key = (line) => [line.parentElement.childNodes[1].textContent, line.style.color];
    return [plot.querySelector(".head").firstChild.textContent, [...plot.querySelectorAll(".keys i.dashed")].map((line) => [...key(line), ...key(line.parentElement.previousElementSibling.querySelector("i"))])];
  })));
  const named = Object.fromEntries(Object.entries(dashed).map(([title, keys]) => [title, keys.map(([name]) => name.replace(", other run", "")).join()]));
  check("and its curves, dashed, in every plot", Object.values(named).every((names) => names !== "")
    && named["Position of the body"] === "x,y,z" && named["Energy"] === "kinetic,potential,elastic,contact,friction loss"
    && named["Probe below"] === "normal,friction" && named["Contact force of each neighbour on the body"] === "floor", JSON.stringify(named));
  check("each in the colour of the curve it is compared with", Object.values(dashed).flat().every(([name, colour, own, ownColour]) => name === `${own}, other run` && colour === ownColour), JSON.stringify(dashed));
  await page.click("#compare-button");
  check("runs of the same bodies all have partners", !(await page.isVisible("#partners")));
  check("until the comparison ends", (await page.locator("#plots .dashed").count()) === 0 && (await state()).ghost === -1 && !(await text(page, "#title")).includes("over it"));
  const both = await open(config.pages.both);
  await until(both.page, () => window.stickslip.state().ghost === 0);
  check("view --compare draws both from the start", both.faults.length === 0, JSON.stringify(both.faults));
  await both.page.close();
  await page.setInputFiles("#compare-file", fileURLToPath(config.pages.bin));
  await page.waitForSelector("#partners", { state: "visible" });
  const lonely = await page.evaluate(() => document.getElementById("partners").title);
  check("a run that shows something else: bodies without partner are named", (await text(page, "#partners")) === "3 bodies without partner"
    && lonely.includes("Only in slide: cube.") && lonely.includes("Only in bin: front, brick."), lonely);
  await page.click("#partners");
  check("and told in words", (await text(page, "#help")).includes("nothing to compare with"));
  await page.keyboard.press("Escape");
  await page.click("#compare-button");
  check("until it ends", !(await page.isVisible("#partners")));
  await page.setInputFiles("#compare-file", { name: "some.html", mimeType: "text/html", buffer: Buffer.from("<p>no run</p>") });
  await page.waitForSelector("#help[open]");
  check("a file that is no replay page is refused", (await text(page, "#help")).includes("not a replay page"));
  check("second run: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

/** A second run that goes farther than the first. */
async function fartherRun({ config, open, check, until }) {
  const { page, faults } = await open(config.pages.slower);
  const inPicture = () =>
    page.evaluate(() => {
      const { stage } = window.stickslip.theatre;
      const canvas = stage.renderer.domElement.getBoundingClientRect();
      const { x, y } = stage.place(stage.up.clone().set(0.25, 0.05, 0)); // where the cube of the other run stops
      return x > canvas.left && x < canvas.right && y > canvas.top && y < canvas.bottom;
    });
  check("farther: the picture of one run has no room for the other", !(await inPicture()));
  const { fileURLToPath } = await import("node:url");
  await page.setInputFiles("#compare-file", fileURLToPath(config.pages.slide));
  await until(page, () => window.stickslip.state().ghost === 0);
  check("farther: that of both has", await inPicture());
  check("farther: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

/** One sphere of many: its way through space and its curves. */
async function oneSphere({ config, open, picture, changed, check, text, until }) {
  const { page, faults, state, scrub } = await open(config.pages.clouds);
  await scrub(10);
  const pick = (point) => page.evaluate((number) => window.stickslip.pick({ body: 1, point: number }), point);
  await pick(7);
  await until(page, () => window.stickslip.state().trackRows === 21);
  check("sphere: its position is plotted over the run", (await text(page, "#plots")).includes("Position of the body"), await text(page, "#plots"));
  const drawn = await picture(page);
  await page.click("#path");
  check("sphere: its path is drawn, and can be hidden", changed(drawn, await picture(page)) >= 1);
  const track = await page.evaluate(() => window.stickslip.theatre.pointTrack);
  const place = await page.evaluate(() => window.stickslip.theatre.cast.clouds.get(1).position(7, window.stickslip.theatre.stage.up.clone()).toArray());
  check("sphere: the track goes through where it is", [0, 1, 2].every((a) => Math.abs(track.x[a][10] - place[a]) < 1e-6) && track.x[1][10] !== track.x[1][0], JSON.stringify(place));
  await pick(8);
  await until(page, () => window.stickslip.state().trackRows === 21);
  const other = await page.evaluate(() => window.stickslip.theatre.pointTrack.x[0][10]);
  check("sphere: another has another", Math.abs(other - track.x[0][10]) > 1e-3, other);
  await page.keyboard.press("Escape");
  check("sphere: without a selection there is none", (await state()).trackRows === 0);
  check("sphere: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

/** Curves of what holds bodies. */
async function heldBodies({ config, open, check, text }) {
  const { page, faults } = await open(config.pages.held);
  for (const [name, weight] of [["bar", "9.8"], ["shelf", "1.37"]]) {
    await page.locator("#bodies li").filter({ hasText: name }).click();
    await page.keyboard.press("End");
    const plots = (await text(page, "#plots")).replace(/\s+/g, " ");
    check(`held: the reaction of what holds the ${name} is plotted, and bears its weight`, plots.includes("Reaction of what holds the body N") && plots.includes("Torque of what holds the body") && plots.includes(`y ${weight}`), plots.slice(0, 400));
  }
  check("held: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

/** The darkness on the ground under what touches it. */
async function contactShadow({ config, open, check }) {
  const { page, faults, state, scrub } = await open(config.pages.slide);
  const under = async () => (await state()).darkestUnder;
  const resting = await under();
  check("contact shadow: dark where the cube touches the floor", resting > 0.5, resting);
  await page.click("#bodies li:nth-child(2) .name");
  await page.keyboard.press("h");
  check("contact shadow: none of a hidden body", (await under()) === 0, await under());
  await page.keyboard.press("a");
  await page.keyboard.press("s");
  check("contact shadow: goes with the other shadows", (await under()) === 0, await under());
  await page.keyboard.press("s");
  await scrub(20);
  check("contact shadow: comes again, where the cube is now", (await under()) > 0.5, await under());
  const spheres = await open(config.pages.clouds);
  check("contact shadow: of spheres too", (await spheres.state()).darkestUnder > 0, (await spheres.state()).darkestUnder);
  await spheres.page.close();
  check("contact shadow: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

/** Grains are not buried by the arrows of their contacts, nor the picture of a phone by legends. */
async function grains({ config, open, picture, changed, check, text, until }) {
  const { page, faults, state, scrub } = await open(config.pages.grains);
  await page.locator("#bodies li").nth(1).click();
  check("grains: before the first step nobody knows of contacts", (await text(page, "#selection")).includes("known from the first step on"), await text(page, "#selection"));
  check("grains: explicit steps have no iterations to plot", !(await text(page, "#plots")).includes("iterations") && (await text(page, "#plots")).includes("Energy"), await text(page, "#plots"));
  await page.keyboard.press("Escape");
  await scrub(10);
  check("grains: no arrows at first", !(await state()).look.arrows && !(await page.isVisible("#force-legend")), JSON.stringify((await state()).look));
  check("grains: but they can be shown", !(await page.evaluate(() => document.getElementById("arrows").disabled)));
  const bare = await picture(page);
  await page.click("#arrows");
  check("grains: arrows of small forces are short", (await state()).shortestArrow < 6, (await state()).shortestArrow);
  check("grains: and grains are pale beneath them", (await state()).paleGrains);
  check("grains: a click shows them", changed(bare, await picture(page)) > 20 && (await page.isVisible("#force-legend")), changed(bare, await picture(page)));
  await until(page, () => location.hash.includes("toggle=arrows"));
  await page.click("#arrows");
  check("grains: solid without arrows", !(await state()).paleGrains);
  const unchained = await picture(page);
  await page.click("#chains");
  const bars = await page.evaluate(() => window.stickslip.theatre.marks.marks.chains.count);
  check("grains: force chains from grain to grain", bars > 20 && changed(unchained, await picture(page)) > 50, bars);
  check("grains: pale beneath force chains", (await state()).paleGrains);
  await page.click("#chains");
  await page.click("#arrows");
  check("legends are not folded where there is room", !(await page.isVisible("#legend-button")));
  await page.setViewportSize({ width: 375, height: 812 });
  await until(page, () => document.querySelector("#stage canvas").getBoundingClientRect().width === 375);
  await page.selectOption("#colour", "speed");
  const legends = async () => [await page.isVisible("#legend-button"), await page.isVisible("#force-legend"), await page.isVisible("#legend")].join();
  check("phone: legends are folded", (await legends()) === "true,false,false", await legends());
  const covered = () => page.evaluate(() => {
    const { width, height } = document.getElementById("corner").getBoundingClientRect();
    return width * height;
  });
  check("phone: into one chip", (await covered()) < 4000, await covered());
  await page.click("#legend-button");
  check("phone: a touch unfolds them", (await legends()) === "true,true,true" && (await page.isVisible("#arrow-length")), await legends());
  await page.click("#legend-button");
  check("phone: and folds them", (await legends()) === "true,false,false", await legends());
  await page.selectOption("#colour", "body");
  await page.click("#arrows");
  check("phone: no chip without legends", (await legends()) === "false,false,false", await legends());
  check("grains: no fault in the console", faults.length === 0, faults.join(" | "));
  await page.close();
}

export const displayParts = [grains, visibility, nothingRecorded, forces, wayAndAddress, heldBodies, secondRun, fartherRun, oneSphere, contactShadow];
