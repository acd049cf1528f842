// A folder of an experiment's own, removed when its cells have been seen.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PAUSE_MS = 100;
const nobody = new Int32Array(new SharedArrayBuffer(4));

const made = (name) => mkdtempSync(join(tmpdir(), `stowage-${name}-`));

/** Gives `use`, a generator of cells, a folder of its own. */
export function* inFolder(name, use) {
  const folder = made(name);
  try {
    yield* use(folder);
  } finally {
    remove(folder);
  }
}

/** The same for a generator that waits for others. */
export async function* inFolderAsync(name, use) {
  const folder = made(name);
  try {
    yield* use(folder);
  } finally {
    remove(folder);
  }
}

/**
 * A program that ends may still write into the folder. Node's own retries remove the emptied folder alone, never what
 * has come into it meanwhile.
 */
function remove(folder) {
  while (!isRemoved(folder)) Atomics.wait(nobody, 0, 0, PAUSE_MS);
}

function isRemoved(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch (error) {
    if (error.code === "ENOTEMPTY") return false;
    throw error;
  }
}
