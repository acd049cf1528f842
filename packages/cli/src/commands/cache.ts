import { Command } from "commander";
import { jsonOption, option } from "../options/checked-option.js";

export function cacheCommand(): Command {
  const cache = new Command("cache").description("the code that `stowage run` has compiled for datatypes");
  cache
    .command("ls")
    .description("list the compiled code, least recently used first")
    .addOption(jsonOption())
    .action(async (options: object) => {
      const { listCache } = await import("../interposer/cache.js");
      listCache(options);
    });
  cache
    .command("prune")
    .description("remove the compiled code that was used longest ago")
    .addOption(
      option("--to <bytes>", "how much may stay, such as 0, 64MiB (default: STOWAGE_CACHE_BYTES, or 256 MiB)", {
        value: { kind: "bytes", mayBeZero: true },
      }),
    )
    .action(async (options: object) => {
      const { pruneCache } = await import("../interposer/cache.js");
      pruneCache(options);
    });
  cache
    .command("export")
    .description("copy code and libraries into a folder, for machines without Node and compilers")
    .argument("<FOLDER>", "where code/ and lib/ are written; readable by all")
    .action(async (folder: string) => {
      const { exportCache } = await import("../interposer/cache.js");
      exportCache(folder);
    });
  cache
    .command("warm")
    .description("compile the datatypes that recordings name, ahead of the runs that need them")
    .argument("<FOLDER...>", "folders that `stowage run --record` wrote")
    .addOption(
      option("--level <levels>", "what to compile for, separated by commas (default: this machine's level)", {
        value: { kind: "choice", of: ["sse2", "avx2", "avx512", "ptx"], isList: true },
      }),
    )
    .action(async (folders: readonly string[], options: object) => {
      const { warmFrom } = await import("../interposer/cache.js");
      warmFrom(folders, options);
    });
  return cache;
}
