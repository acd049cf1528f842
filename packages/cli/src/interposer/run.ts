import { runInterposed, type RunOptions } from "@stowage/interposer/run";
import { constants } from "node:os";

/** `stowage run`: ends as the command did, by the same status or signal. */
export async function run(words: readonly string[], options: RunOptions): Promise<never> {
  const isVerbose = options.verbose === true || !["", "0", undefined].includes(process.env["STOWAGE_VERBOSE"]);
  const ended = await runInterposed(words, options, (line, isForAll) => {
    if (isVerbose || isForAll === true) process.stderr.write(`stowage: ${line}\n`);
  });
  if ("status" in ended) return process.exit(ended.status);
  process.kill(process.pid, ended.signal);
  await new Promise((resolve) => setTimeout(resolve, 1_000)); // it is delivered
  return process.exit(128 + (constants.signals[ended.signal as NodeJS.Signals] ?? 0)); // it is ignored here: as shells have it
}
