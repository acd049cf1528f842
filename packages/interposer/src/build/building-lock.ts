import { lstatSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { isAlive, thisSystem } from "./building-folder.js";

const LOOK_MS = 100;
/** A number may have become another process's: who has waited so long builds beside it, which does no harm. */
const LONGEST_MS = 600_000;

/**
 * Waits until no other process of this system builds a library, and is the one that does until `release` is called.
 * Systems that share the folder do not wait for each other: whether a process of another lives cannot be known.
 */
export async function buildingLock(library: string): Promise<{ readonly release: () => void }> {
  // A link is made with what it says, at once.
  const lock = `${library}.${thisSystem()}.lock`;
  for (;;) {
    try {
      symlinkSync(String(process.pid), lock);
      return { release: () => rmSync(lock, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (isHeld(lock)) await setTimeout(LOOK_MS);
    else rmSync(lock, { force: true });
  }
}

function isHeld(lock: string): boolean {
  const facts = lstatSync(lock, { throwIfNoEntry: false });
  if (facts === undefined || Date.now() - facts.mtimeMs > LONGEST_MS) return false;
  try {
    return isAlive(Number(readlinkSync(lock)));
  } catch {
    return false; // it has just gone
  }
}
