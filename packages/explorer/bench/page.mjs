// What the explorer's page takes in Debian's chromium, from disk: first picture, redraws after edits, lists of a million
// entries in the worker, its weight. `npm run build && node packages/explorer/bench/page.mjs`; with --screenshots it
// also draws docs/explorer/.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const RUNS = 9;
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

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const entries = (page, name) =>
  page.evaluate((of) => performance.getEntriesByName(of).map(({ startTime, duration }) => [startTime, duration]), name);

async function edit(page, text) {
  await page.getByRole("textbox", { name: "Datatype as text" }).focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
  await page.waitForTimeout(30);
  await page.locator('.app[data-drawn="yes"]').waitFor({ timeout: 60_000 });
}

/** From the change of the text until it is drawn: the worker's answer, the tree and the canvas. */
async function redraws(page, texts, measured = "redraw") {
  const times = [];
  for (const text of texts) {
    await edit(page, text);
    times.push((await entries(page, measured)).at(-1)[1]);
  }
  return times;
}

const firsts = [];
for (let i = 0; i < RUNS; i++) {
  const page = await open();
  firsts.push((await entries(page, "first-picture"))[0][0]);
  await page.context().close();
}

const page = await open();
const regular = Array.from({ length: RUNS }, (_, i) => {
  const inner = { kind: "vector", count: 100 + i, blocklength: 3, stride: 8, child: "MPI_DOUBLE" };
  return JSON.stringify({ kind: "hvector", count: 2 ** 20, blocklength: 1, stride: 2 ** 20, child: inner });
});
const regularMs = await redraws(page, regular);
const list = (kind, extra, step) => {
  const displacements = Array.from({ length: 1e6 }, (_, i) => ((i * step) % 3_000_017) * 2);
  return JSON.stringify({ kind, ...extra(displacements), displacements, child: "MPI_INT" });
};
const uniform = [7919, 7907, 7901].map((step) => list("indexed_block", () => ({ blocklength: 1 }), step));
const varying = [7919, 7907, 7901].map((step) =>
  list("indexed", (at) => ({ blocklengths: at.map((x) => (x % 3) + 1) }), step),
);
const inWorker = [];
for (const texts of [uniform, varying]) inWorker.push(median(await redraws(page, texts, "worker")));
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
const round = (value) => Math.round(value * 10) / 10;
console.log(
  JSON.stringify(
    {
      cpu: cpus()[0].model,
      date: new Date().toISOString(),
      firstPictureMs: { median: round(median(firsts)), most: round(Math.max(...firsts)) },
      regularRedrawMs: { median: round(median(regularMs)), most: round(Math.max(...regularMs)) },
      millionEntriesMs: { uniform: round(inWorker[0]), varyingLengths: round(inWorker[1]) },
      pageBytes: html.length,
      pageGzipBytes: gzipSync(html).length,
    },
    null,
    1,
  ),
);
