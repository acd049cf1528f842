import { Command } from "commander";
import { option } from "../options/checked-option.js";
import { withExamples } from "../options/examples.js";

export function exploreCommand(): Command {
  const explore = new Command("explore")
    .description("show datatypes in the browser: where bytes lie, how they are packed, what moves them")
    .addOption(
      option("--out <folder>", "write the page into this folder instead; it works from there, and offline", {
        value: { kind: "output", of: "folder" },
        only: ["--no-open"],
      }),
    )
    .addOption(
      option("--port <n>", "port on localhost (default: any that is free)", {
        value: { kind: "whole", least: 0, most: 65_535 },
      }),
    )
    .addOption(option("--no-open", "print the address only"));
  return withExamples(explore, [
    ["stowage explore", "serves the page and opens it"],
    ["stowage explore --out page", "page/index.html, for a web server or a mail"],
  ]).action(async (options: { readonly out?: string; readonly port?: number; readonly open: boolean }) => {
    const { explore: run } = await import("../explore/explore.js");
    await run(options);
  });
}
