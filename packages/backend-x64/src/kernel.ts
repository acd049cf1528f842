import { DisposedError, type Artifact, type Binding, type Kernel, type Plan } from "@stowage/backend-api";
import type { ExecutableCode } from "./memory/executable.js";
import type { Machine } from "./memory/machine.js";
import type { Payload } from "./payload.js";
import { X64Plan } from "./plan.js";
import type { Threads } from "./threads/plan-threads.js";

/** Loaded code of one artifact. Plans hold it too: disposing of the kernel does not take it from them. */
export class X64Kernel implements Kernel {
  readonly #artifact: Artifact;
  readonly #payload: Payload;
  readonly #machine: Machine;
  readonly #threads: Threads | undefined;
  readonly #listing: () => string;
  readonly #code: ExecutableCode;
  #disposed = false;

  /** Throws a DeviceError where the system refuses executable memory. */
  constructor(
    artifact: Artifact,
    payload: Payload,
    machine: Machine,
    threads: Threads | undefined,
    listing: () => string,
  ) {
    this.#artifact = artifact;
    this.#payload = payload;
    this.#machine = machine;
    this.#threads = threads;
    this.#listing = listing;
    this.#code = machine.arena.add(payload.code);
  }

  bind(bindings: readonly Binding[]): Plan {
    if (this.#disposed) throw new DisposedError("kernel to bind");
    const code = this.#code;
    const { moves, conditions } = this.#artifact;
    const codes = [...this.#payload.entries].map((entry) => ({ move: code.address + entry, copy: this.#machine.copy }));
    const threads = this.#threads === undefined ? {} : { threads: this.#threads };
    const plan = new X64Plan(
      { moves, conditions, codes, prepare: this.#machine.prepare, ...threads, release: () => code.release() },
      bindings,
    );
    code.hold();
    return plan;
  }

  /** The machine code of each move as a listing in Intel's syntax. */
  explain(): string {
    return this.#listing();
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#code.release();
  }
}
