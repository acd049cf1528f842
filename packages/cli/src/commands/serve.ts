import { Command } from "commander";

export function serveCommand(): Command {
  return new Command("serve")
    .description("compile code for programs over libstowage, until a signal comes: STOWAGE_CACHE says where it is kept")
    .action(async () => {
      const { serveUntilEnded } = await import("../interposer/serve.js");
      await serveUntilEnded();
    });
}
