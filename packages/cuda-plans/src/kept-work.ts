import type { Completions } from "./completions.js";
import type { Work } from "./work.js";

/** A program alternates between few alignments and ranges; who does not prepares each time. */
const MOST_KEPT = 64;

/** Work that a plan prepared, by the alignments and ranges that it was prepared for. */
export class KeptWork implements Disposable {
  readonly #completions: Completions;
  readonly #byKey = new Map<string, Work>();
  /** Work without a key, or more than is kept: until other work comes. */
  #loose: Work | undefined;

  constructor(completions: Completions) {
    this.#completions = completions;
  }

  get size(): number {
    return this.#byKey.size;
  }

  take(key: string | undefined): Work | undefined {
    return key === undefined ? undefined : this.#byKey.get(key);
  }

  keep(key: string | undefined, work: Work): Work {
    if (this.#loose !== undefined) this.#letGo(this.#loose);
    this.#loose = undefined;
    if (key !== undefined && this.#byKey.size < MOST_KEPT) this.#byKey.set(key, work);
    else this.#loose = work;
    return work;
  }

  [Symbol.dispose](): void {
    for (const work of this.#byKey.values()) this.#letGo(work);
    if (this.#loose !== undefined) this.#letGo(this.#loose);
    this.#byKey.clear();
    this.#loose = undefined;
  }

  #letGo(work: Work): void {
    if (work.readsOwnMemory) this.#completions.wait();
    work[Symbol.dispose]();
  }
}
