import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SHARED_MEMORY = "/dev/shm";
const PAUSE_MS = 0.2;
const NOBODY = new Int32Array(new SharedArrayBuffer(4));

/** A folder for the messages of one communicator; it goes with the process, if not before. */
export function newFolder(): string {
  const folder = mkdtempSync(join(existsSync(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir(), "stowage-nccl-"));
  if (folders.size === 0) process.once("exit", () => folders.forEach(removed));
  folders.add(folder);
  return folder;
}

/** The folders of this process. */
const folders = new Set<string>();
const removed = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Files by which ranks of one machine meet: a message is one, and gone once it was received. */
export class Rendezvous {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Says something under a name; whoever looks finds all of it or nothing. Nobody looks where a rank has given up. */
  post(name: string, bytes: Uint8Array): void {
    if (!existsSync(this.#folder)) return;
    const draft = join(this.#folder, `draft-${name}`);
    writeFileSync(draft, bytes);
    renameSync(draft, join(this.#folder, name));
  }

  isPosted(name: string): boolean {
    return existsSync(join(this.#folder, name));
  }

  /** Whether it was not taken yet; for ever, where a rank has given up. */
  isPending(name: string): boolean {
    return this.isPosted(name) || !existsSync(this.#folder);
  }

  take(name: string): Uint8Array | undefined {
    if (!this.isPosted(name)) return undefined;
    const bytes = readFileSync(join(this.#folder, name));
    rmSync(join(this.#folder, name));
    return bytes;
  }

  /** What every one of so many ranks says under its number; waits for all. */
  gather(rank: number, ranks: number, text: string): readonly string[] {
    this.post(`rank-${rank}`, new TextEncoder().encode(text));
    const names = Array.from({ length: ranks }, (_, i) => `rank-${i}`);
    while (!names.every((name) => this.isPosted(name))) Atomics.wait(NOBODY, 0, 0, PAUSE_MS);
    return names.map((name) => readFileSync(join(this.#folder, name), "utf8"));
  }

  /** One rank lets go of it, and waits until the others did or one gave up; with the last the folder goes. */
  leave(rank: number, ranks: number): void {
    this.post(`gone-${rank}`, new Uint8Array(0));
    const gone = Array.from({ length: ranks }, (_, i) => `gone-${i}`);
    while (existsSync(this.#folder)) {
      if (gone.every((name) => this.isPosted(name))) this.remove();
      else Atomics.wait(NOBODY, 0, 0, PAUSE_MS);
    }
  }

  remove(): void {
    removed(this.#folder);
  }
}
