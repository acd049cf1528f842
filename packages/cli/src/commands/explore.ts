import { Command } from "commander";

export function exploreCommand(): Command {
  return new Command("explore")
    .description("show datatypes in the browser: where bytes lie, how they are packed, what moves them")
    .option("--out <folder>", "write the page into this folder instead; it works from there, and offline")
    .option("--port <n>", "port on localhost (default: any that is free)")
    .option("--no-open", "print the address only")
    .action(async (options: { readonly out?: string; readonly port?: string; readonly open: boolean }) => {
      const { explore } = await import("../explore/explore.js");
      await explore(options);
    });
}
