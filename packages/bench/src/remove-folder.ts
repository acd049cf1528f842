import { rmSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

const PAUSE_MS = 100;

/**
 * Removes a folder into which programs may still write as they end, and waits for them: Node's own retries remove the
 * emptied folder alone, never what has come into it meanwhile. A folder that is not there is none to remove.
 * @throws the system's error where what is in it may not be removed.
 * @example
 * await removeFolder(mkdtempSync(join(tmpdir(), "ranks-")));
 */
export async function removeFolder(folder: string): Promise<void> {
  while (!isRemoved(folder)) await setTimeout(PAUSE_MS);
}

function isRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTEMPTY") return false;
    throw error;
  }
}
