import { BindingError, canChangeSize, HostBuffer, isAddressSpace, type Memory } from "@stowage/backend-api";

/** The views of JavaScript's memory that a plan is bound to: each must be as long at a run as it was then. */
export class WatchedViews {
  readonly #views: Uint8Array[];
  readonly #bytes: number[];
  /** Whether a view is of memory that can change its size. */
  #canChange: boolean;

  constructor(views: readonly Uint8Array[]) {
    this.#views = [...views];
    this.#bytes = views.map((view) => view.byteLength);
    this.#canChange = views.some((view) => canChangeSize(view.buffer));
  }

  /** Throws a BindingError where one has been detached or has another length. */
  require(): void {
    for (let i = 0; i < this.#views.length; i++) {
      const view = this.#views[i] as Uint8Array;
      // The length in bytes: V8 compiles length to a load, byteLength to a call of 10 ns.
      const bytes = this.#canChange ? view.byteLength : view.length;
      if (bytes !== this.#bytes[i]) this.#refuse(i);
    }
  }

  /** Takes the view of a single buffer in the place of view i. */
  set(i: number, memory: Memory): void {
    const view = viewIn(memory);
    this.#views[i] = view;
    const changes = HostBuffer.is(memory) ? memory.canChangeSize : canChangeSize(view.buffer);
    this.#canChange ||= changes;
    this.#bytes[i] = changes ? view.byteLength : view.length;
  }

  slice(from: number, to: number): readonly Uint8Array[] {
    return this.#views.slice(from, to);
  }

  #refuse(i: number): never {
    const bytes = (this.#views[i] as Uint8Array).byteLength;
    throw new BindingError(
      "memory of a plan",
      `the ${this.#bytes[i]} bytes it was bound to`,
      `${bytes}: detached, or resized since`,
    );
  }
}

/** What may be detached between runs: a view a buffer. */
export const viewsIn = (memory: Memory): readonly Uint8Array[] =>
  isAddressSpace(memory) ? memory.regions.map(({ buffer }) => viewIn(buffer)) : [viewIn(memory)];

const NOTHING = new Uint8Array(0);

/** Memory with an address of its own is watched by nobody. */
const viewIn = (memory: Memory): Uint8Array =>
  isAddressSpace(memory) || memory.address !== undefined ? NOTHING : (memory.bytes ?? NOTHING);
