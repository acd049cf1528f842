import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Built, wherever this module itself runs from. */
const SCRIPT = fileURLToPath(new URL("../../dist/calls/first-commit.js", import.meta.url));
const PROCESSES = 3;

export type Where = "host" | "cuda" | "simulated";

/** What a process pays for its first commit: the least of some processes. Undefined where a process fails. */
export function firstCommitNs(backend: string, datatype: string, where: Where): number | undefined {
  try {
    const times = Array.from({ length: PROCESSES }, () =>
      Number(
        execFileSync(process.execPath, [SCRIPT, backend, datatype, where], { stdio: ["ignore", "pipe", "ignore"] }),
      ),
    );
    return Math.min(...times);
  } catch {
    return undefined;
  }
}
