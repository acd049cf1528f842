import { BindingError, isAddressSpace, type Binding, type Buffer, type Span } from "@stowage/backend-api";
import { DameState } from "../machine/dame-state.js";
import { HostMemory } from "../machine/host-memory.js";
import type { LoadedDame } from "../machine/load-dame.js";
import { RunViews } from "../machine/run-views.js";
import { Side } from "../machine/side.js";
import { transfer } from "../machine/transfer.js";

/** The two programs of a move. */
export interface LoadedMove {
  readonly source: LoadedDame;
  readonly target: LoadedDame;
}

/** A move on its memory, with all that running it needs made beforehand: a run allocates nothing. */
export class BoundMove {
  readonly #binding: Binding;
  readonly #source: Side;
  readonly #target: Side;
  readonly #buffers: readonly (readonly [string, Buffer])[];
  readonly #views = new RunViews();

  /** The binding has been checked. */
  constructor({ source, target }: LoadedMove, binding: Binding) {
    this.#binding = binding;
    this.#source = new Side(new DameState(source), new HostMemory(binding.source.memory));
    this.#target = new Side(new DameState(target), new HostMemory(binding.target.memory));
    this.#buffers = [...buffersOf("source", binding.source), ...buffersOf("target", binding.target)];
  }

  /** Throws a BindingError where a buffer has been detached since it was bound. */
  requireAttached(): void {
    for (let i = 0; i < this.#buffers.length; i++) {
      const [side, { bytes, sizeBytes }] = this.#buffers[i] as readonly [string, Buffer];
      // A detached or shrunk ArrayBuffer leaves its views with no bytes.
      if (bytes?.byteLength !== sizeBytes) throw detached(side, sizeBytes, bytes?.byteLength ?? 0);
    }
  }

  run(): void {
    const { count, first, length, source, target } = this.#binding;
    this.#source.state.seek(count, first, source.originBytes);
    this.#target.state.seek(count, first, target.originBytes);
    this.#views.rewind();
    transfer(this.#source, this.#target, length, this.#views);
  }
}

function buffersOf(side: string, { memory }: Span): readonly (readonly [string, Buffer])[] {
  const buffers = isAddressSpace(memory) ? memory.regions.map(({ buffer }) => buffer) : [memory];
  return buffers.map((buffer) => [side, buffer]);
}

const detached = (side: string, expectedBytes: number, gotBytes: number): BindingError =>
  new BindingError(`memory of a ${side}`, `${expectedBytes} bytes, as it was bound`, `${gotBytes} (detached or resized)`);
