import {
  DisposedError,
  DONE,
  type Binding,
  type Completion,
  type Conditions,
  type Kernel,
  type Move,
  type Plan,
} from "@stowage/backend-api";
import type { KernelCode } from "./kernel-code.js";
import type { Launcher } from "./memory/launcher.js";
import type { Machine } from "./memory/machine.js";
import type { MoveCode } from "./move-code.js";
import { X64Plan } from "./plan.js";
import { QuickRecord } from "./quick-record.js";
import { aloneBelowBytes, type Threads } from "./threads/plan-threads.js";

/** What a kernel runs. */
export interface KernelParts {
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  readonly code: KernelCode;
  /** Of each move, in `code`. */
  readonly moveCodes: readonly MoveCode[];
  /** Of a single run of each move. */
  readonly runCodes: readonly MoveCode[];
  readonly machine: Machine;
  /** Absent: the caller's thread alone. */
  readonly threads: Threads | undefined;
  readonly listing: () => string;
}

/** Machine code of moves. Plans hold it too: disposing of the kernel does not take it from them. */
export class X64Kernel implements Kernel {
  readonly #parts: KernelParts;
  readonly #quickRecords: readonly QuickRecord[];
  /** Of a kernel of one move: what runs it, and the bytes below which this thread does so by itself. */
  readonly #only: QuickRecord | undefined;
  readonly #launcher: Launcher;
  readonly #aloneBelowBytes: number;
  #disposed = false;

  constructor(parts: KernelParts) {
    const { moves, conditions, moveCodes, machine, threads } = parts;
    this.#parts = parts;
    this.#quickRecords = moves.map((move, i) => new QuickRecord(move, conditions, moveCodes[i] as MoveCode));
    this.#only = moves.length === 1 ? this.#quickRecords[0] : undefined;
    this.#launcher = machine.launcher;
    this.#aloneBelowBytes = threads === undefined ? Infinity : aloneBelowBytes(threads, threads.callFromBytes);
  }

  bind(bindings: readonly Binding[]): Plan {
    if (this.#disposed) throw new DisposedError("kernel to bind");
    const { moves, conditions, code, moveCodes, runCodes, machine, threads } = this.#parts;
    const plan = new X64Plan(
      {
        moves,
        conditions,
        codes: moveCodes.map((move, i) => ({ move, copy: runCodes[i] as MoveCode })),
        quickRecords: this.#quickRecords,
        launcher: machine.launcher,
        ...(threads === undefined ? {} : { threads }),
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
    const quick = this.#only;
    const launcher = this.#launcher;
    if (quick === undefined || binding.length >= this.#aloneBelowBytes) return false;
    if (!quick.writes(launcher.record, 0, binding)) return false;
    launcher.launch();
    return true;
  }

  /** The machine code of each move as a listing in Intel's syntax. */
  explain(): string {
    return this.#parts.listing();
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#parts.code.release();
  }
}
