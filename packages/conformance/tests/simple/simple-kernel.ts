import {
  DisposedError,
  DONE,
  type Artifact,
  type Binding,
  type Completion,
  type Kernel,
  type Plan,
} from "@stowage/backend-api";
import { bytesAt, type Copy, type Piece, type Steps, type Table } from "./steps.js";

export interface MoveTables {
  readonly source: Table;
  readonly target: Table;
}

export class SimpleKernel implements Kernel {
  #disposed = false;
  readonly #artifact: Artifact;
  readonly #tables: readonly MoveTables[];
  readonly #steps: Steps;

  constructor(artifact: Artifact, tables: readonly MoveTables[], steps: Steps) {
    this.#artifact = artifact;
    this.#tables = tables;
    this.#steps = steps;
  }

  bind(bindings: readonly Binding[]): Plan {
    if (this.#disposed) throw new DisposedError("kernel");
    this.#steps.check(this.#artifact.moves, bindings, this.#artifact.conditions);
    return new SimplePlan(this.#artifact, this.#tables, this.#steps, bindings);
  }

  explain(): string {
    return this.#tables
      .map(({ source, target }) => `${source.offsets.length} to ${target.offsets.length} runs`)
      .join("\n");
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
  }
}

class SimplePlan implements Plan {
  #disposed = false;
  readonly #artifact: Artifact;
  readonly #tables: readonly MoveTables[];
  readonly #steps: Steps;
  readonly #bindings: Binding[];

  constructor(artifact: Artifact, tables: readonly MoveTables[], steps: Steps, bindings: readonly Binding[]) {
    this.#artifact = artifact;
    this.#tables = tables;
    this.#steps = steps;
    this.#bindings = [...bindings];
  }

  run(): Completion {
    if (this.#disposed) throw new DisposedError("plan");
    const copies = this.#bindings.flatMap((binding, i) => [...this.#copiesOf(binding, this.#tables[i] as MoveTables)]);
    this.#steps.launch(copies, this.#steps.copy);
    return DONE;
  }

  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("plan");
    this.#steps.checkOne(this.#artifact.moves, i, binding, this.#artifact.conditions);
    this.#bindings[i] = binding;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
  }

  /** Pairs the pieces of both sides in packed order, cut to the shorter of each pair. */
  *#copiesOf(binding: Binding, { source, target }: MoveTables): Generator<Copy> {
    const targets = this.#steps.piecesOf(target, binding)[Symbol.iterator]();
    let open: Piece = { offsetBytes: 0, lengthBytes: 0 };
    for (let { offsetBytes, lengthBytes } of this.#steps.piecesOf(source, binding)) {
      while (lengthBytes > 0) {
        if (open.lengthBytes === 0) open = targets.next().value as Piece;
        const length = Math.min(lengthBytes, open.lengthBytes);
        const from = bytesAt(binding.source.memory, binding.source.originBytes + offsetBytes);
        const to = bytesAt(binding.target.memory, binding.target.originBytes + open.offsetBytes);
        yield { from: from.bytes, fromAt: from.at, to: to.bytes, toAt: to.at, length };
        offsetBytes += length;
        lengthBytes -= length;
        open = { offsetBytes: open.offsetBytes + length, lengthBytes: open.lengthBytes - length };
      }
    }
  }
}
