import {
  ArtifactError,
  DisposedError,
  DONE,
  type Artifact,
  type Binding,
  type Completion,
  type Kernel,
  type Plan,
} from "@stowage/backend-api";
import { BYTES, LAUNCH, MAILBOX } from "./lower/launch.js";
import { entryNames } from "./lower/program.js";
import { callOne, launchAt, mailboxAddress, type Launch } from "./memory/launcher.js";
import { Mapping } from "./memory/mapping.js";
import type { Image } from "./object/link.js";
import { LlvmPlan } from "./plan.js";
import { QuickRecord } from "./quick-record.js";
import type { Codes } from "./records.js";

/** Loaded code of one artifact. Plans hold it too: disposing of the kernel does not take it from them. */
export class LlvmKernel implements Kernel {
  readonly #artifact: Artifact;
  readonly #explain: () => string;
  readonly #mapping: Mapping;
  readonly #launch: Launch;
  readonly #codes: readonly Codes[];
  readonly #quickRecords: readonly QuickRecord[];
  #disposed = false;

  /** Throws a DeviceError where the system refuses executable memory, an ArtifactError where a function is missing. */
  constructor(artifact: Artifact, { bytes, symbols }: Image, explain: () => string) {
    const offsetOf = (name: string): number => {
      const offset = symbols.get(name);
      if (offset === undefined) throw new ArtifactError(`object file of an llvm artifact: expected ${name}, got none`);
      return offset;
    };
    const names = entryNames(artifact.moves);
    const [entries, launch, copy, mailbox] = [
      names.map(offsetOf),
      offsetOf(LAUNCH),
      offsetOf(BYTES),
      offsetOf(MAILBOX),
    ];
    this.#artifact = artifact;
    this.#explain = explain;
    this.#mapping = new Mapping(bytes, (view) => view.setBigUint64(mailbox, BigInt(mailboxAddress()), true));
    const { address } = this.#mapping;
    this.#launch = launchAt(address + launch);
    this.#codes = entries.map((entry) => ({ move: address + entry, bytes: address + copy }));
    this.#quickRecords = artifact.moves.map((move) => new QuickRecord(move, artifact.conditions));
  }

  bind(bindings: readonly Binding[]): Plan {
    if (this.#disposed) throw new DisposedError("kernel to bind");
    const { moves, conditions } = this.#artifact;
    const mapping = this.#mapping;
    const parts = { moves, conditions, codes: this.#codes, launch: this.#launch, release: () => mapping.release() };
    const plan = new LlvmPlan(parts, bindings);
    mapping.hold();
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
    const [quick, codes] = [this.#quickRecords[0], this.#codes[0]];
    if (quick === undefined || codes === undefined || this.#quickRecords.length !== 1 || !quick.accepts(binding))
      return false;
    callOne(this.#launch, codes.move, quick.source, quick.target, binding.count, binding.first, binding.length);
    return true;
  }

  /** The module in LLVM's text, as it is before any pass. */
  explain(): string {
    return this.#explain();
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#mapping.release();
  }
}
