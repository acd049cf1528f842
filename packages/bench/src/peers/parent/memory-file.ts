import koffi from "koffi";
import { closeSync } from "node:fs";

/** A file in memory, for the processes of contenders to map; gone when all have closed it. */
export class MemoryFile implements Disposable {
  readonly descriptor: number;

  private constructor(descriptor: number) {
    this.descriptor = descriptor;
  }

  /** undefined where the system has none: processes then have memory of their own. */
  static create(): MemoryFile | undefined {
    try {
      const memfdCreate = koffi.load("libc.so.6").func("int memfd_create(const char *, unsigned int)") as MemfdCreate;
      const descriptor = memfdCreate("stowage-bench", 0);
      return descriptor < 0 ? undefined : new MemoryFile(descriptor);
    } catch {
      return undefined; // not Linux
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.descriptor);
  }
}

type MemfdCreate = (name: string, flags: number) => number;
