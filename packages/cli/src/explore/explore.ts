import { outputFile, outputFolder } from "@stowage/bench";
import { explorerPage } from "@stowage/explorer";
import { join } from "node:path";
import { print } from "../print.js";
import { openBrowser } from "./open-browser.js";
import { servePage } from "./serve-page.js";

interface Options {
  readonly out?: string;
  readonly port?: string;
  readonly open: boolean;
}

/** `stowage explore`: writes the page, or serves it until it is interrupted. */
export async function explore({ out, port, open }: Options): Promise<void> {
  const page = explorerPage();
  if (out !== undefined) return writePage(page, out);
  const served = await servePage(page, portOf(port));
  print(`${served.address}\nControl-C ends it.`);
  if (open) openBrowser(served.address);
  await served.interrupted;
}

function writePage(page: string, folder: string): void {
  outputFolder(folder, "--out");
  const path = join(folder, "index.html");
  outputFile(path, "--out").write(page);
  print(path);
}

function portOf(text = "0"): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error(`--port: expected an integer from 0 to 65535, got ${JSON.stringify(text)}`);
}
