// A folder of an experiment's own, removed when its cells have been seen.
import { removeFolder } from "@stowage/bench";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives `use`, a generator of cells, a folder of its own, for temporary files or `within` another. */
export async function* inFolder(name, use, within = tmpdir()) {
  const folder = mkdtempSync(join(within, `stowage-${name}-`));
  try {
    yield* use(folder);
  } finally {
    await removeFolder(folder);
  }
}
