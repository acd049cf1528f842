import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const PAUSE_MS = 100;

/** A folder of its own for a test, removed afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "stowage-test-"));
  try {
    return await use(folder);
  } finally {
    while (!isRemoved(folder)) await setTimeout(PAUSE_MS);
  }
}

/**
 * A service that ends may still write into the folder. Node's own retries remove the emptied folder alone, never what
 * has come into it meanwhile.
 */
function isRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTEMPTY") return false;
    throw error;
  }
}
