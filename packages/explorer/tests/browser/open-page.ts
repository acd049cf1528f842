import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type Page } from "playwright-core";

/** Debian's package chromium; as root a browser has no sandbox, and in a container /dev/shm may be small. */
export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-dev-shm-usage"] });

/** Makes the pages from the sources of today. */
export function buildPages(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL("../../build.mjs", import.meta.url))]);
}

export const pageFile = (name: string): string => fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
}

/** A page from disk, what it complained of, and the requests that it made beside its own file and workers. */
export interface OpenedPage {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly requests: readonly string[];
}

export async function openPage(browser: Browser, url: string, options: PageOptions = {}): Promise<OpenedPage> {
  const { width = 1280, height = 800, colorScheme = "light" } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => !/^(file|blob|data):/.test(request.url()) && requests.push(request.url()));
  await page.goto(url);
  return { page, complaints, requests };
}

/** The explorer from disk, once it has drawn. */
export async function openExplorer(browser: Browser, fragment = "", options: PageOptions = {}): Promise<OpenedPage> {
  const opened = await openPage(browser, `file://${pageFile("explorer.html")}${fragment}`, options);
  await drawn(opened.page);
  return opened;
}

/** Waits for what is being drawn. */
export const drawn = (page: Page): Promise<void> =>
  page.locator('.app[data-drawn="yes"]').waitFor({ timeout: Number(process.env["STOWAGE_HANG_MS"] ?? 600_000) });
