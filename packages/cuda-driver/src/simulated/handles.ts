/** Objects behind integer handles, as a C library hands them out. */
export class Handles<T> {
  readonly #objects = new Map<number, T>();
  #next: number;

  constructor(first: number) {
    this.#next = first;
  }

  add(object: T): number {
    const handle = this.#next;
    this.#next += 16;
    this.#objects.set(handle, object);
    return handle;
  }

  get(handle: number): T | undefined {
    return this.#objects.get(handle);
  }

  remove(handle: number): boolean {
    return this.#objects.delete(handle);
  }

  entries(): Iterable<[handle: number, object: T]> {
    return this.#objects;
  }

  all(): Iterable<T> {
    return this.#objects.values();
  }

  get size(): number {
    return this.#objects.size;
  }
}
