import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** As c/measure.h has it, at least. */
export const GATE_BYTES = 1 << 20;
/** Memory that looks like files, so that nobody writes pages of it to a disk in the middle of a measurement. */
const MEMORY_FOLDER = "/dev/shm";

/** A folder of one run; its gates are memory that all ranks of a launch see, made of zeros for each. */
export class RunFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "stowage-overheads-"));
  readonly #gates = existsSync(MEMORY_FOLDER) ? mkdtempSync(join(MEMORY_FOLDER, "stowage-overheads-")) : this.path;

  newGate(): string {
    const path = join(this.#gates, "gate");
    writeFileSync(path, new Uint8Array(GATE_BYTES));
    return path;
  }

  [Symbol.dispose](): void {
    for (const folder of [this.path, this.#gates]) rmSync(folder, { recursive: true, force: true });
  }
}
