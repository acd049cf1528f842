import { CONTAINER_VERSION, decodeArtifact } from "@stowage/backend-api";
import { lstatSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../environment.js";
import { ownFolder } from "./private-folder.js";
import { writeWhole } from "./write-whole.js";

/** What the cache may hold unless STOWAGE_CACHE_BYTES says otherwise. */
const DEFAULT_MOST_BYTES = 256 * 2 ** 20;
const NAME = new RegExp(`^[0-9a-f]{32}-(sse2|avx2|avx512|ptx)-${CONTAINER_VERSION}\\.stowage$`);
/** A file that was begun and not renamed: its writer died, if it is older than this. */
const UNFINISHED = /\.new$/;
const ABANDONED_AFTER_MS = 60_000;
const OTHERS_WRITE = 0o022;
const NONE = new Uint8Array(0);

/** A file of compiled code in a cache. */
export interface CachedFile {
  /** The name in the cache's folder: the type's key, the level, and the version of the container. */
  readonly name: string;
  /** The size of the file. */
  readonly bytes: number;
  /** When it was written, or last asked for at the service. */
  readonly usedAt: Date;
}

/**
 * The file of a type's code for a level and a version of the container: c/code/cache.c of libstowage looks for it.
 */
export const fileName = (key: string, level: string): string => `${key}-${level}-${CONTAINER_VERSION}.stowage`;

/**
 * A folder of compiled code. Files are written beside and renamed, so that a reader never meets half of one, whichever
 * machine it is on. Where they come to more than `mostBytes`, those that were used longest ago go.
 */
export class CodeCache {
  /** The path of the folder. */
  readonly folder: string;
  /** The most bytes that all files together may have. */
  readonly mostBytes: number;
  #bytes: number;

  /**
   * Makes the folder where there is none. Default of `mostBytes`: STOWAGE_CACHE_BYTES, or else 256 MiB. Throws an
   * InterposerError where the folder cannot be made or others may write to it.
   */
  constructor(folder: string, mostBytes: number = mostBytesOf(process.env)) {
    this.folder = ownFolder(folder);
    this.mostBytes = mostBytes;
    this.#bytes = this.#sum();
  }

  /** The files of code in the folder, the least recently used first. */
  list(): readonly CachedFile[] {
    return readdirSync(this.folder)
      .filter((name) => NAME.test(name))
      .flatMap((name) => this.#fact(name))
      .toSorted((a, b) => a.usedAt.getTime() - b.usedAt.getTime());
  }

  /** Whether the file holds this description's code, whole, and readers will take it; it counts as used then. */
  holds(name: string, description: Uint8Array): boolean {
    const path = join(this.folder, name);
    try {
      const facts = lstatSync(path);
      const { uid, mode } = facts;
      const isTaken = facts.isFile() && (uid === 0 || uid === process.geteuid?.()) && (mode & OTHERS_WRITE) === 0;
      if (!isTaken || Buffer.compare(decodeArtifact(readFileSync(path)).description ?? NONE, description) !== 0)
        return false;
      const now = new Date();
      utimesSync(path, now, now);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Writes a file of code, whole, and prunes where there is too much. Throws what the system says where it cannot be.
   */
  write(name: string, bytes: Uint8Array): void {
    writeWhole(join(this.folder, name), bytes);
    this.#bytes += bytes.length;
    if (this.#bytes > this.mostBytes) this.prune(this.mostBytes);
  }

  /**
   * Removes what was used longest ago until at most so many bytes are left, and what was never finished. Returns the
   * files that went.
   */
  prune(mostBytes: number): readonly CachedFile[] {
    this.#removeUnfinished();
    const files = this.list();
    let left = files.reduce((sum, { bytes }) => sum + bytes, 0);
    const gone: CachedFile[] = [];
    for (const file of files) {
      if (left <= mostBytes) break;
      rmSync(join(this.folder, file.name), { force: true });
      gone.push(file);
      left -= file.bytes;
    }
    this.#bytes = left;
    return gone;
  }

  #removeUnfinished(): void {
    for (const name of readdirSync(this.folder).filter((each) => UNFINISHED.test(each))) {
      const age = Date.now() - (this.#fact(name)[0]?.usedAt.getTime() ?? 0);
      if (age > ABANDONED_AFTER_MS) rmSync(join(this.folder, name), { force: true });
    }
  }

  #sum(): number {
    return this.list().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** None where another process has removed it. */
  #fact(name: string): readonly CachedFile[] {
    try {
      const { size, mtime } = lstatSync(join(this.folder, name));
      return [{ name, bytes: size, usedAt: mtime }];
    } catch {
      return [];
    }
  }
}

function mostBytesOf(environment: Environment): number {
  const asked = Number(environment["STOWAGE_CACHE_BYTES"] || DEFAULT_MOST_BYTES);
  return Number.isFinite(asked) && asked >= 0 ? asked : DEFAULT_MOST_BYTES;
}
