import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundlePage } from "../browser/bundle.js";
import { EXPECTED } from "../browser/page.js";

/** Debian's package chromium. */
const BROWSER = "chromium";
/** As root a browser has no sandbox; in a container /dev/shm may be small. */
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];

test("an engine over backend-cpu packs in a page of a headless browser", async () => {
  const { code } = await bundlePage();
  const folder = mkdtempSync(join(tmpdir(), "stowage-page-"));
  try {
    const file = join(folder, "page.html");
    const script = `${code}\ndocument.body.textContent = page.report();`;
    writeFileSync(file, `<!doctype html><meta charset="utf-8"><body><script>${script}</script></body>`);
    const flags = [...FLAGS, `--user-data-dir=${folder}`, "--dump-dom"];
    const dom = execFileSync(BROWSER, [...flags, `file://${file}`], { encoding: "utf8", stdio: "pipe" });
    expect(dom).toContain(`<body>${EXPECTED}</body>`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
