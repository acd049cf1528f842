import axe from "axe-core";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createProgram } from "../../src/program.js";
import { runProgram } from "../../src/run-program.js";

const folder = mkdtempSync(join(tmpdir(), "stowage-report-"));
const results = (name: string): string => fileURLToPath(new URL(`../../../../results/epyc/${name}`, import.meta.url));
let browser: Browser;

beforeAll(async () => {
  execFileSync(process.execPath, [fileURLToPath(new URL("../../../explorer/build.mjs", import.meta.url))]);
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
});
afterAll(() => browser.close());

/** Writes a report of files and opens it from disk. */
async function report(...files: readonly string[]): Promise<{ page: Page; complaints: readonly string[] }> {
  const path = join(folder, "report.html");
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  expect(await runProgram(createProgram(), ["node", "stowage", "report", ...files, "--html", path])).toBe(0);
  vi.restoreAllMocks();
  const page = await (await browser.newContext()).newPage();
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => request.url().startsWith("http") && complaints.push(request.url()));
  await page.goto(`file://${path}`);
  return { page, complaints };
}

const firstCells = (page: Page, column: number): Promise<readonly string[]> =>
  page.getByRole("table", { name: "Every measurement" }).locator(`tbody tr td:nth-child(${column})`).allTextContents();

describe("report --html in a browser", { timeout: 120_000 }, () => {
  test("headers sort, a filter keeps rows, and a mark tells its values", async () => {
    const { page, complaints } = await report(results("ddtbench.json"));
    const table = page.getByRole("table", { name: "Every measurement" });
    await table.getByRole("button", { name: "GB/s" }).click();
    const ascending = (await firstCells(page, 8)).map(Number);
    expect(ascending).toEqual([...ascending].sort((a, b) => a - b));
    await table.getByRole("button", { name: "GB/s" }).click();
    expect(Number((await firstCells(page, 8))[0])).toBe(Math.max(...ascending));
    await page.getByRole("searchbox", { name: "Filter: Every measurement" }).fill("milc unpack");
    expect(new Set(await firstCells(page, 3))).toEqual(new Set(["unpack"]));
    const mark = page.locator("svg.plot circle:not(.halo)").first();
    await mark.hover({ force: true });
    await page
      .getByText(/GB\/s; median/)
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("it says at once what it comes down to, and is legible on a phone", async () => {
    const { page } = await report(results("ddtbench.json"));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    expect(await page.getByRole("heading", { level: 2 }).textContent()).toMatch(/^x64 over memcpy: [\d.]+ x in the /);
    const wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await page.evaluate<number>(wider)).toBeLessThanOrEqual(0);
    // Pixels of the screen that text of a plot is high: its picture is not shrunk.
    const heights = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.plot text')].map((text) => text.getBoundingClientRect().height)",
    );
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(10);
    // What a row is of stays while its figures are scrolled to.
    const cell = page.getByRole("table", { name: "Every measurement" }).locator("tbody tr:first-child td:first-child");
    await page.evaluate("document.querySelector('.scroller').scrollLeft = 300");
    expect((await cell.boundingBox())?.x).toBeGreaterThanOrEqual(0);
    await page.context().close();
  });

  test("two files are compared", async () => {
    const { page } = await report(results("peers.json"), results("peers-sample.json"));
    expect(await page.getByRole("table", { name: "What changed between the two files" }).count()).toBe(1);
    expect(await page.getByRole("heading", { level: 2 }).textContent()).toMatch(/ (?:times as fast as in|beside) /);
    await page.context().close();
  });

  test("names in a file stay text, and axe finds no serious fault", async () => {
    const path = join(folder, "hostile.json");
    const text = readFileSync(results("ddtbench.json"), "utf8");
    writeFileSync(path, text.replace(/"workload": ?"[^"]*"/, '"workload":"</script><img src=x onerror=alert(1)>"'));
    const { page, complaints } = await report(path);
    expect(await page.locator("img").count()).toBe(0);
    expect(complaints).toEqual([]);
    const session = await page.context().newCDPSession(page);
    await session.send("Runtime.evaluate", { expression: axe.source });
    const found = await page.evaluate<{ id: string; impact: string }[]>(
      "axe.run().then(({ violations }) => violations)",
    );
    expect(found.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id }) => id)).toEqual([]);
    await page.context().close();
  });
});
