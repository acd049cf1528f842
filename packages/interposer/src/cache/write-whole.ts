import { randomUUID } from "node:crypto";
import { closeSync, constants, fchmodSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/**
 * Writes a file beside its place and renames it there, so that a reader never meets half of one. The name beside is one
 * that nobody can have planted or is writing to, on another node either. Throws what the system says; nothing is left
 * then.
 */
export function writeWhole(path: string, content: string | Uint8Array, mode = 0o600): void {
  const beside = `${path}.${randomUUID()}.new`;
  try {
    const to = openSync(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      writeFileSync(to, content);
      if (mode !== 0o600) fchmodSync(to, mode);
    } finally {
      closeSync(to);
    }
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
