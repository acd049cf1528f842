import { summarise } from "@stowage/bench";
import { rowsTable } from "@stowage/bench/results";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const RUNS = 9;
const POLL_MS = 20;
const LONGEST_MS = 60_000;
/** Before an edit: the link of the text before it is made meanwhile. */
const REST_MS = 1500;
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const file = join(ROOT, "packages/explorer/dist/explorer.html");
const docs = join(ROOT, "docs/explorer");

async function measured(screenshots) {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });

  async function open(options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
    const page = await context.newPage();
    await page.goto(`file://${file}`);
    await page.locator('.app[data-drawn="yes"]').waitFor();
    return page;
  }

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
  const lists = {};
  for (const [name, texts] of Object.entries({ uniform, "varying lengths": varying })) {
    const times = await edits(page, texts);
    lists[`worker, 10^6 entries, ${name}`] = times.map(({ workerMs }) => workerMs);
    lists[`edit to drawn, 10^6 entries, ${name}`] = times.map(({ drawnMs }) => drawnMs);
  }
  await page.context().close();

  if (screenshots) {
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
  const bytes = { pageBytes: html.length, pageGzipBytes: gzipSync(html).length };
  return { bytes, ms: { "first picture": firsts, "redraw of a regular type": regularMs, ...lists } };
}

export default {
  name: "explorer-page",
  question: "How soon does the explorer's page show a picture and redraw it in chromium, and how large is it?",
  kind: "times",
  options: { screenshots: { kind: "flag", says: "draw docs/explorer too" } },
  trial: "chromium in /usr/bin, and the page of npm run build",
  *cells() {
    yield { label: { workload: "explorer" } };
  },
  contenders: () => ({}),
  run: async (_, __, { screenshots }, lab) => {
    const { bytes, ms } = await measured(screenshots);
    lab.note(bytes);
    return Object.fromEntries(
      Object.entries(ms).map(([name, list]) => [name, summarise(list.map((each) => each * 1e6))]),
    );
  },
  text: (rows) =>
    rowsTable(
      rows.map(({ contender, medianNs, maxNs }) => ({ what: contender, ms: medianNs / 1e6, most: maxNs / 1e6 })),
    ),
};
