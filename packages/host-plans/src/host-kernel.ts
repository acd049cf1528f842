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
import { HostPlan, type PlanParts } from "./host-plan.js";
import type { Launcher } from "./launcher.js";
import type { Codes } from "./launches-of.js";
import { MAILBOX_RECORD } from "./mailbox.js";
import { isPlain, PlainLaunch } from "./plain-launch.js";
import { QuickRecord } from "./quick-record.js";
import type { Sharing } from "./sharing.js";

/** Code that stays until all who hold it have let go of it. */
export interface HeldCode {
  /** Counts one more user of the code. */
  hold(): void;
  /** Counts one user less; with the last the code may be freed. */
  release(): void;
}

/** What a kernel runs. */
export interface KernelParts {
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  /** The addresses of the code, an entry a move, which lies in `code`. */
  readonly codes: readonly Codes[];
  /** The code, which is held once for the kernel already. */
  readonly code: HeldCode;
  /** What calls the code. */
  readonly launcher: Launcher;
  /** How threads share long moves. Default: the caller's thread alone runs all. */
  readonly sharing?: Sharing | undefined;
  /** Gives the text of the kernel's `explain`. */
  readonly explain: () => string;
}

/**
 * A kernel of machine code on the host. Plans hold the code too: disposing of the kernel does not take it from them.
 * bind and call throw a BindingError as checkBindings does, a DisposedError once the kernel was disposed of.
 */
export class HostKernel implements Kernel {
  readonly #code: HeldCode;
  readonly #explain: () => string;
  readonly #planParts: PlanParts;
  /** Where the kernel has one move: what writes its record. */
  readonly #only: QuickRecord | undefined;
  /**
   * The short way of calls by two buffers; absent where a call is more than one record, or more was promised than that
   * memory is pageable.
   */
  readonly plainCall: PlainLaunch | undefined;
  readonly #launcher: Launcher;
  readonly #aloneBelowBytes: number;
  #disposed = false;

  constructor({ moves, conditions, codes, code, launcher, sharing, explain }: KernelParts) {
    const quickRecords = moves.map((move, i) => new QuickRecord(move, conditions, (codes[i] as Codes).move));
    const release = () => code.release();
    this.#code = code;
    this.#explain = explain;
    this.#planParts = { moves, conditions, codes, quickRecords, launcher, sharing, release };
    this.#only = moves.length === 1 ? quickRecords[0] : undefined;
    this.#launcher = launcher;
    this.#aloneBelowBytes = sharing?.aloneBelowBytes ?? Infinity;
    this.plainCall = plainLaunch(this.#planParts, this.#aloneBelowBytes);
  }

  bind(bindings: readonly Binding[]): Plan {
    if (this.#disposed) throw new DisposedError("kernel to bind");
    const plan = new HostPlan(this.#planParts, bindings);
    this.#code.hold();
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

  explain(): string {
    return this.#explain();
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.plainCall?.close();
    this.#code.release();
  }

  /** One record, where the binding is a common one. False: nothing was moved. */
  #callQuickly(binding: Binding): boolean {
    if (this.plainCall?.movesBound(binding) === true) return true;
    const quick = this.#only;
    const launcher = this.#launcher;
    if (quick === undefined || binding.length >= this.#aloneBelowBytes) return false;
    if (!quick.writes(MAILBOX_RECORD, 0, binding)) return false;
    launcher.launch();
    return true;
  }
}

function plainLaunch(parts: PlanParts, aloneBelowBytes: number): PlainLaunch | undefined {
  const { quickRecords, codes, conditions, launcher } = parts;
  const [record, code] = [quickRecords[0], codes[0]?.move];
  if (quickRecords.length !== 1 || record === undefined || code === undefined || !isPlain(conditions)) return undefined;
  return new PlainLaunch({ check: record.check, code, launcher, aloneBelowBytes });
}
