// Linux' shared memory for simulated devices of several processes: their memory is WebAssembly's, whose pages are
// mapped over (mmap with MAP_FIXED). What is shared goes when its process ends.
import koffi from "koffi";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { basename, join } from "node:path";

const FOLDER = "/dev/shm";
// Flags of Linux' sys/mman.h.
const READ_AND_WRITE = 1 | 2;
const [SHARED, PRIVATE, FIXED, ANONYMOUS] = [1, 2, 0x10, 0x20];
const mmap = koffi.load("libc.so.6").func("intptr_t mmap(void *, size_t, int, int, int, long)");

function map(pages, flags, file) {
  if (Number(mmap(pages, pages.length, READ_AND_WRITE, flags, file, 0)) < 0) throw new Error("mmap failed");
}

/** The `shared` option of openSimulatedCuda. */
export function sharedPages() {
  const folder = mkdtempSync(join(FOLDER, "stowage-gpu-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  let made = 0;
  return {
    share(pages) {
      const path = join(folder, String(made++));
      const file = openSync(path, "wx+", 0o600);
      writeSync(file, pages);
      map(pages, SHARED | FIXED, file);
      closeSync(file);
      return `${basename(folder)}/${basename(path)}`;
    },
    open(name, pages) {
      try {
        const file = openSync(join(FOLDER, name), "r+");
        map(pages, SHARED | FIXED, file);
        closeSync(file);
        return true;
      } catch {
        return false; // its owner is gone
      }
    },
    close: (pages) => map(pages, PRIVATE | FIXED | ANONYMOUS, -1),
  };
}
