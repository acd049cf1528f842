import type files from "node:fs";
import { createRequire } from "node:module";
import { koffi } from "../native/koffi.js";
import type { SharedPages } from "./shared-pages.js";

const FOLDER = "/dev/shm";
// Flags of Linux' sys/mman.h.
const READ_AND_WRITE = 1 | 2;
const [SHARED, PRIVATE, FIXED, ANONYMOUS] = [1, 2, 0x10, 0x20];
const NO_FILE = -1;

/**
 * Linux' shared memory, for simulated devices of several processes of one machine, such as the ranks of an MPI: their
 * memory is WebAssembly's, whose pages are mapped over (mmap(2) with MAP_FIXED). What a process shares goes when it
 * ends; one that is killed leaves a folder `stowage-gpu-*` in /dev/shm.
 * @example
 * const driver = openSimulatedCuda({ devices: 2, shared: sharedPages() });
 * @throws an Error of the system where /dev/shm cannot be written.
 */
export function sharedPages(): SharedPages {
  // Loaded here: the rest of this package runs in pages, where there is no file system.
  const { closeSync, mkdtempSync, openSync, rmSync, writeSync } = createRequire(import.meta.url)(
    "node:fs",
  ) as typeof files;
  const mmap = koffi().load("libc.so.6").func("intptr_t mmap(void *, size_t, int, int, int, long)");
  const map = (pages: Uint8Array, flags: number, file: number): void => {
    const at = Number(mmap(pages, pages.length, READ_AND_WRITE, flags, file, 0));
    if (at < 0) throw new Error(`mmap: expected ${pages.length} bytes of shared memory, got none`);
  };
  const folder = mkdtempSync(`${FOLDER}/stowage-gpu-`);
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  let made = 0;
  return {
    share(pages) {
      const path = `${folder}/${made++}`;
      const file = openSync(path, "wx+", 0o600);
      writeSync(file, pages);
      map(pages, SHARED | FIXED, file);
      closeSync(file);
      return path.slice(FOLDER.length + 1);
    },
    open(name, pages) {
      try {
        const file = openSync(`${FOLDER}/${name}`, "r+");
        map(pages, SHARED | FIXED, file);
        closeSync(file);
        return true;
      } catch {
        return false; // its owner is gone
      }
    },
    close: (pages) => map(pages, PRIVATE | FIXED | ANONYMOUS, NO_FILE),
  };
}
