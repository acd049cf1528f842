// What the explorer's page takes in Debian's chromium, from disk: first picture, redraws after edits, lists of a
// million entries in the worker, its weight. `npm run build && node packages/explorer/bench/page.mjs`; with
// --screenshots it also draws docs/explorer/.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const RUNS = 9;
const POLL_MS = 20;
const LONGEST_MS = 60_000;
/** Before an edit: the link of the text before it is made meanwhile. */
const REST_MS = 1500;
const here = dirname(fileURLToPath(import.meta.url));
const file = join(here, "..", "dist", "explorer.html");
const docs = join(here, "..", "..", "..", "docs", "explorer");
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });

async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  await page.goto(`file://${file}`);
  await page.locator('.app[data-drawn="yes"]').waitFor();
  return page;
}

const round = (value) => Math.round(value * 10) / 10;
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const entries = (page, name) =>
  page.evaluate(
    (of) =>
      performance.getEntriesByName(of).map(({ startTime, duration, detail }) => ({ startTime, duration, detail })),
    name,
  );
const openings = async (page) => Number(await page.locator(".app").getAttribute("data-opening"));

/**
 * Pastes a text, and waits until this very text is drawn. drawnMs: from the change of the text until the worker's
 * answer, the tree and the canvas are there; workerMs: what of it the worker took to read the text and find the
 * picture.
 */
async function edit(page, text) {
  const before = await openings(page);
  await page.evaluate(() => performance.clearMeasures());
  await page.getByRole("textbox", { name: "Datatype as text" }).focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
  for (const deadline = Date.now() + LONGEST_MS; Date.now() < deadline; await page.waitForTimeout(POLL_MS)) {
    const redraws = await entries(page, "redraw");
    const own = redraws.find(({ detail }) => detail.opening > before && detail.characters === text.length);
    if (own === undefined) continue;
    const end = own.startTime + own.duration;
    const opened = (await entries(page, "worker open")).filter((each) => each.startTime + each.duration <= end);
    return { drawnMs: own.duration, workerMs: opened.at(-1).duration };
  }
  throw new Error(`edit of ${text.length} characters: expected to be drawn within ${LONGEST_MS} ms`);
}

async function edits(page, texts) {
  const times = [];
  for (const text of texts) {
    await page.waitForTimeout(REST_MS);
    times.push(await edit(page, text));
  }
  return times;
}

const firsts = [];
for (let i = 0; i < RUNS; i++) {
  const page = await open();
  firsts.push((await entries(page, "first-picture"))[0].startTime);
  await page.context().close();
}

const page = await open();
const regular = Array.from({ length: RUNS }, (_, i) => {
  const inner = { kind: "vector", count: 100 + i, blocklength: 3, stride: 8, child: "MPI_DOUBLE" };
  return JSON.stringify({ kind: "hvector", count: 2 ** 20, blocklength: 1, stride: 2 ** 20, child: inner });
});
const regularMs = (await edits(page, regular)).map(({ drawnMs }) => drawnMs);
const list = (kind, extra, step) => {
  const displacements = Array.from({ length: 1e6 }, (_, i) => ((i * step) % 3_000_017) * 2);
  return JSON.stringify({ kind, ...extra(displacements), displacements, child: "MPI_INT" });
};
const uniform = [7919, 7907, 7901].map((step) => list("indexed_block", () => ({ blocklength: 1 }), step));
const varying = [7919, 7907, 7901].map((step) =>
  list("indexed", (at) => ({ blocklengths: at.map((x) => (x % 3) + 1) }), step),
);
const lists = [];
for (const texts of [uniform, varying]) {
  const times = await edits(page, texts);
  const of = (name) => round(median(times.map((each) => each[name])));
  lists.push({ worker: of("workerMs"), editToDrawn: of("drawnMs") });
}
await page.context().close();

if (process.argv.includes("--screenshots")) {
  const shot = async (name, options, act) => {
    const shown = await open(options);
    await act(shown);
    await shown.waitForTimeout(1200);
    await shown.screenshot({ path: join(docs, `${name}.png`) });
    await shown.context().close();
  };
  const panel = (name) => (shown) => shown.getByRole("button", { name, exact: true }).click();
  await shot("picture", { colorScheme: "light" }, () => undefined);
  await shot("dark", { colorScheme: "dark" }, (shown) =>
    shown.getByRole("combobox", { name: "Examples" }).selectOption("MILC_su3_zdown/0"),
  );
  await shot("gpu", { colorScheme: "light" }, panel("GPU"));
  await shot("narrow", { viewport: { width: 400, height: 860 } }, () => undefined);
}
await browser.close();

const html = readFileSync(file);
console.log(
  JSON.stringify(
    {
      cpu: cpus()[0].model,
      date: new Date().toISOString(),
      firstPictureMs: { median: round(median(firsts)), most: round(Math.max(...firsts)) },
      regularRedrawMs: { median: round(median(regularMs)), most: round(Math.max(...regularMs)) },
      millionEntriesMs: { uniform: lists[0], varyingLengths: lists[1] },
      pageBytes: html.length,
      pageGzipBytes: gzipSync(html).length,
    },
    null,
    1,
  ),
);
