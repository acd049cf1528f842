import { outputFile } from "@stowage/bench";
import { explorerPage } from "@stowage/explorer";
import { join } from "node:path";
import { print } from "../print.js";
import { openBrowser } from "./open-browser.js";
import { servePage } from "./serve-page.js";

interface Options {
  readonly out?: string;
  readonly port?: number;
  readonly open: boolean;
}

/** `stowage explore`: writes the page, or serves it until it is interrupted. */
export async function explore({ out, port = 0, open }: Options): Promise<void> {
  const page = explorerPage();
  if (out !== undefined) return writePage(page, out);
  const served = await servePage(page, port);
  print(`${served.address}\nControl-C ends it.`);
  if (open) openBrowser(served.address);
  await served.interrupted;
}

function writePage(page: string, folder: string): void {
  const path = join(folder, "index.html");
  outputFile(path, "--out").write(page);
  print(path);
}
