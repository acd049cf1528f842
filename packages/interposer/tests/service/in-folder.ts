import { removeFolder } from "@stowage/bench";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of its own for a test, removed afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "stowage-test-"));
  try {
    return await use(folder);
  } finally {
    await removeFolder(folder);
  }
}
