/** Which devices were given access to which others' memory. */
export class Peers {
  readonly #reached = new Map<number, Set<number>>();

  has(device: number, other: number): boolean {
    return this.#reached.get(device)?.has(other) ?? false;
  }

  add(device: number, other: number): void {
    this.#reached.set(device, (this.#reached.get(device) ?? new Set()).add(other));
  }

  /** False where there was no access. */
  delete(device: number, other: number): boolean {
    return this.#reached.get(device)?.delete(other) ?? false;
  }

  /** A device whose context is gone reaches nobody, and nobody reaches it. */
  forget(device: number): void {
    this.#reached.delete(device);
    for (const others of this.#reached.values()) others.delete(device);
  }
}
