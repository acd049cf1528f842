import {
  DisposedError,
  DONE,
  type Artifact,
  type Binding,
  type Completion,
  type Kernel,
  type Plan,
} from "@stowage/backend-api";
import type { ExecutableCode } from "./memory/executable.js";
import type { Machine } from "./memory/machine.js";
import type { Payload } from "./payload.js";
import { X64Plan } from "./plan.js";
import { QuickRecord } from "./quick-record.js";
import { aloneBelowBytes, type Threads } from "./threads/plan-threads.js";

/** Loaded code of one artifact. Plans hold it too: disposing of the kernel does not take it from them. */
export class X64Kernel implements Kernel {
  readonly #artifact: Artifact;
  readonly #payload: Payload;
  readonly #machine: Machine;
  readonly #threads: Threads | undefined;
  readonly #listing: () => string;
  readonly #code: ExecutableCode;
  readonly #quickRecords: readonly QuickRecord[];
  /** Of a kernel of one move: its code, and the bytes below which this thread runs it by itself. */
  readonly #entry: number;
  readonly #aloneBelowBytes: number;
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
    this.#quickRecords = artifact.moves.map((move) => new QuickRecord(move, artifact.conditions));
    this.#entry = this.#code.address + (payload.entries[0] ?? 0);
    this.#aloneBelowBytes = threads === undefined ? Infinity : aloneBelowBytes(threads);
  }

  bind(bindings: readonly Binding[]): Plan {
    if (this.#disposed) throw new DisposedError("kernel to bind");
    const code = this.#code;
    const { moves, conditions } = this.#artifact;
    const codes = [...this.#payload.entries].map((entry) => ({ move: code.address + entry, copy: this.#machine.copy }));
    const threads = this.#threads === undefined ? {} : { threads: this.#threads };
    const plan = new X64Plan(
      {
        moves,
        conditions,
        codes,
        quickRecords: this.#quickRecords,
        launcher: this.#machine.launcher,
        ...threads,
        release: () => code.release(),
      },
      bindings,
    );
    code.hold();
    return plan;
  }

  call(bindings: readonly Binding[]): Completion {
    if (this.#disposed) throw new DisposedError("kernel to call");
    const binding = bindings[0];
    if (binding !== undefined && bindings.length === 1 && this.#callQuickly(binding)) return DONE;
    const plan = this.bind(bindings);
    try {
      return plan.run();
    } finally {
      plan[Symbol.dispose]();
    }
  }

  /** One record, where the binding is a common one. False: nothing was moved. */
  #callQuickly(binding: Binding): boolean {
    const quick = this.#quickRecords[0];
    if (quick === undefined || this.#quickRecords.length !== 1) return false;
    if (binding.length >= this.#aloneBelowBytes || !quick.accepts(binding)) return false;
    const { count, first, length } = binding;
    this.#machine.launcher.call(this.#entry, quick.source, quick.target, count, first, length);
    return true;
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
