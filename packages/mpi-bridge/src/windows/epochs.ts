import { quoted } from "@stowage/ir";
import { BridgeError } from "../errors.js";

/** Whether a lock excludes all others, or exclusive ones alone (MPI 4.1, section 12.5.3). */
export type LockKind = "exclusive" | "shared";

/** Which accesses of a window are open (MPI 4.1, section 12.5): MPIs say little, or nothing, of one that is not. */
export class Epochs {
  readonly #ranks: number;
  readonly #locked = new Set<number>();
  /** Locked ranks whose lock this rank has waited for. */
  readonly #held = new Set<number>();
  #isFenced = false;

  constructor(ranks: number) {
    this.#ranks = ranks;
  }

  get isFenced(): boolean {
    return this.#isFenced;
  }

  get isLocked(): boolean {
    return this.#locked.size > 0;
  }

  fence(isLast: boolean): void {
    this.#isFenced = !isLast;
  }

  lock(rank: number): void {
    if (this.#isFenced) throw new BridgeError("lock of a window", "a last fence before it", "an open epoch");
    if (!Number.isInteger(rank) || rank < 0 || rank >= this.#ranks)
      throw new BridgeError("lock of a window", `a rank of 0 to ${this.#ranks - 1}`, quoted(rank));
    if (this.#locked.has(rank))
      throw new BridgeError("lock of a window", "one that is not locked", `rank ${rank} again`);
    this.#locked.add(rank);
  }

  lockAll(): void {
    this.requireUnlocked("lock");
    for (let rank = 0; rank < this.#ranks; rank++) this.lock(rank);
  }

  unlock(rank: number): void {
    this.#held.delete(rank);
    if (!this.#locked.delete(rank)) throw new BridgeError("unlock of a window", "a rank that is locked", quoted(rank));
  }

  unlockAll(): void {
    if (this.#locked.size !== this.#ranks)
      throw new BridgeError("unlock of a window", "all ranks locked", `${this.#locked.size}`);
    this.#locked.clear();
    this.#held.clear();
  }

  /** Whether a rank's lock is still to be waited for; it counts as held from here on. */
  hold(rank: number): boolean {
    if (this.#held.has(rank)) return false;
    this.#held.add(rank);
    return true;
  }

  requireLocked(rank: number | undefined): void {
    if (rank === undefined ? this.isLocked : this.#locked.has(rank)) return;
    throw new BridgeError("flush of a window", "a rank that is locked", rank === undefined ? "none" : quoted(rank));
  }

  requireOpen(act: string, rank: number): void {
    if (this.#isFenced || this.#locked.has(rank)) return;
    throw new BridgeError(`${act} to rank ${rank}`, "an epoch, by fence or lock", "none");
  }

  requireUnlocked(act: string): void {
    if (this.isLocked)
      throw new BridgeError(`${act} of a window`, "no lock", `one of rank ${[...this.#locked].join()}`);
  }
}
