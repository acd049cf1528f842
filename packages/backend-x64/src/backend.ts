import {
  artifactKey,
  isReducing,
  reduceMove,
  wholeBytesOf,
  UNCALIBRATED,
  UnsupportedMoveError,
  type Artifact,
  type Backend,
  type Conditions,
  type Kernel,
  type Move,
  type Prediction,
  type Profile,
  type Support,
} from "@stowage/backend-api";
import { ArtifactError, DeviceError } from "@stowage/backend-api";
import { HostKernel, MoveCode } from "@stowage/host-plans";
import { denseLayout, requireOptions } from "@stowage/ir";
import { compileMoves, explainMoves, variantOf, type CodeSettings } from "./compile.js";
import { runsOn, type FeatureLevel } from "./feature-level.js";
import { AssemblerSession } from "./lower/assembler-session.js";
import { KernelCode } from "./kernel-code.js";
import { probeMachine, type Machine } from "./memory/machine.js";
import { DEFAULT_TUNING, hinted, tuningOf, type X64Options } from "./options.js";
import { dataOf, FORMAT_VERSION, NAME, payloadOf } from "./payload.js";
import { reduceProgram } from "./reduce/reduce-program.js";
import { predict } from "./cost-model.js";
import { reasonAgainstThreads, supportOf } from "./supports.js";
import { moveCodesOf } from "./staged-code.js";
import { sharingOf, type Threads } from "./threads/plan-threads.js";
import type { SharingMode } from "./threads/shared-time.js";
import { sharedFromBytes } from "./threads/shared-from-bytes.js";
import { behaviourOfFigures, MEASURABLE } from "./targets/answers.js";
import type { Behaviour } from "./targets/behaviour.js";
import { unknown } from "./targets/unknown.js";
import { ThreadPools } from "./threads/thread-pools.js";

/** What code is written for. */
interface Tuned extends CodeSettings {
  /** The tuning, as keys of artifacts hold it. */
  readonly text: string;
}

/**
 * Moves bytes of host memory by machine code that is written for each layout: DAME-X of Prabhu and Gropp (2017),
 * section 5.
 *
 * @example
 * ```ts
 * using backend = new X64Backend({ threadsFromBytes: 1 << 20 });
 * const kernel = backend.kernel([packMove(column)], conditions({ threads: 4 }));
 * ```
 */
export class X64Backend implements Backend, Disposable {
  /** Always "x64". */
  readonly name = NAME;
  /** Always true; elements whose runs share bytes are refused. */
  readonly reduces = true;
  /** Always true; they must lie in host memory, in calls of any count. */
  readonly tables = true;
  readonly #pools = new ThreadPools();
  readonly #options: X64Options;
  #tuned: Tuned | undefined;

  /** Looks at the machine when it is first needed. Throws an ArgumentError for an option that is none. */
  constructor(options: X64Options = {}) {
    requireOptions(options, `options of ${NAME}`, [
      "level",
      "threadsFromBytes",
      "profile",
      "betweenCores",
      "frames",
      ...Object.keys(DEFAULT_TUNING),
    ]);
    this.#options = options;
  }

  /**
   * Whether it takes the moves: in host and pinned memory, on an x86-64 processor that runs the level, within limits of
   * threads, nesting, nodes and tables.
   */
  supports(moves: readonly Move[], conditions: Conditions): Support {
    return supportOf(moves, conditions, probeMachine(), this.#options.level);
  }

  /** Predicts the times by X64_COSTS and the profile's section "x64", and by sharedNs on several threads. */
  predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
    return predict(moves, conditions, profile);
  }

  /** Writes position-independent code for the moves. Throws an UnsupportedMoveError where supports() says no. */
  compile(moves: readonly Move[], conditions: Conditions): Artifact {
    const support = this.supports(moves, conditions);
    if (!support.ok) throw new UnsupportedMoveError(NAME, support.reason);
    const { level, text } = this.#tune();
    const payload = compileMoves(moves, this.#shared(conditions), {
      ...this.#settingsFor(conditions),
      frames: this.#options.frames === true,
    });
    // Code differs by level, tuning and expected calls, so the key does too.
    const key = artifactKey(
      `${NAME}-${level}-${text}${this.variant(moves, conditions)}`,
      FORMAT_VERSION,
      moves,
      conditions,
    );
    return { backend: NAME, formatVersion: FORMAT_VERSION, key, moves, conditions, payload: dataOf(payload) };
  }

  /** Names the code that the expected calls ask for, where that is other code; "" otherwise. */
  variant(moves: readonly Move[], conditions: Conditions): string {
    return variantOf(moves, this.#shared(conditions), this.#settingsFor(conditions));
  }

  /**
   * Puts an artifact's code into executable memory. Throws an ArtifactError for one of another backend or format, or of
   * a level or a number of threads that this machine does not run.
   */
  load(artifact: Artifact): Kernel {
    const { level, code, entries } = payloadOf(artifact);
    const machine = requireMachine();
    if (!runsOn(level, machine.level)) {
      throw new ArtifactError(`level of an ${NAME} artifact: expected at most ${machine.level}, got ${level}`);
    }
    const { moves, conditions } = artifact;
    const refused = reasonAgainstThreads(conditions);
    if (refused !== undefined)
      throw new ArtifactError(
        `conditions of an ${NAME} artifact: expected threads that it runs on, got others: ${refused}`,
      );
    const kernelCode = new KernelCode(machine.arena);
    const start = kernelCode.add(code);
    const moveCodes = Array.from(entries, (entry) => new MoveCode(() => start + entry));
    return this.#kernelOf(moves, conditions, level, machine, kernelCode, moveCodes);
  }

  /**
   * Writes the code for the moves into executable memory, each piece when the first call needs it. Throws an
   * UnsupportedMoveError where supports() says no.
   */
  kernel(moves: readonly Move[], conditions: Conditions): Kernel {
    const support = this.supports(moves, conditions);
    if (!support.ok) throw new UnsupportedMoveError(NAME, support.reason);
    const machine = requireMachine();
    const code = new KernelCode(machine.arena);
    const settings = this.#settingsFor(conditions);
    const write = { code, conditions: this.#shared(conditions), settings };
    return this.#kernelOf(moves, conditions, settings.level, machine, code, moveCodesOf(moves, write));
  }

  /** Ends the native threads that launches were shared among; those of plans still in use end with the last plan. */
  [Symbol.dispose](): void {
    this.#pools[Symbol.dispose]();
  }

  #kernelOf(
    moves: readonly Move[],
    conditions: Conditions,
    level: FeatureLevel,
    machine: Machine,
    code: KernelCode,
    moveCodes: readonly MoveCode[],
  ): Kernel {
    const threads = this.#threadsFor(moves, conditions, machine);
    const explain = () =>
      explainMoves(
        moves,
        this.#shared(conditions),
        { ...this.#settingsFor(conditions), level },
        threads?.fromBytes ?? Infinity,
      );
    const codes = moves.map((move, i) => ({
      move: moveCodes[i] as MoveCode,
      run: runCodeOf(move, code, level, machine),
    }));
    const { launcher } = machine;
    return new HostKernel({
      moves,
      conditions,
      codes,
      code,
      launcher,
      sharing: threads && sharingOf(threads),
      explain,
    });
  }

  #threadsFor(moves: readonly Move[], conditions: Conditions, machine: Machine): Threads | undefined {
    const { threads: count } = this.#shared(conditions);
    // What is combined is read and written again: slices of it that share bytes must not meet.
    if (count === 1 || moves.some(isReducing)) return undefined;
    const { profile = () => UNCALIBRATED, threadsFromBytes } = this.#options;
    const from = (mode: SharingMode): number => threadsFromBytes ?? sharedFromBytes(moves, conditions, profile(), mode);
    const [fromBytes, callFromBytes] = [from("bound"), from("call")];
    const open = () => this.#pools.open(count, machine.poolCode());
    return {
      open,
      count,
      fromBytes,
      callFromBytes,
      nonTemporalBytes: this.#settingsFor(conditions).tuning.nonTemporalBytes,
    };
  }

  /** The conditions, of one thread where no launch is to be shared. */
  #shared(conditions: Conditions): Conditions {
    return this.#options.threadsFromBytes === Infinity ? { ...conditions, threads: 1 } : conditions;
  }

  #settingsFor(conditions: Conditions): CodeSettings {
    const { level, tuning, session } = this.#tune();
    return { level, tuning: hinted(tuning, conditions), session };
  }

  /** The options over what suits the machine, which is looked at when first asked for. */
  #tune(): Tuned {
    if (this.#tuned !== undefined) return this.#tuned;
    const probed = probeMachine();
    const machine = "machine" in probed ? probed.machine : undefined;
    const tuning = tuningOf(this.#options, machine?.target ?? unknown, this.#answers(machine));
    return (this.#tuned = {
      level: this.#options.level ?? machine?.level ?? "sse2",
      tuning,
      session: new AssemblerSession(),
      text: JSON.stringify({ ...tuning, alone: this.#options.threadsFromBytes === Infinity }),
    });
  }

  /** What the profile answers where the processor's description is silent. */
  #answers(machine: Machine | undefined): Partial<Behaviour> {
    const { target = machine?.target ?? unknown, profile } = this.#options;
    if (machine === undefined || profile === undefined) return {};
    if (MEASURABLE.every((name) => target.behaviour[name] !== undefined)) return {};
    return behaviourOfFigures(machine.processor, profile().figures[NAME] ?? {});
  }
}

/** Code for a single run of a move, where runs lie in several regions. */
function runCodeOf({ reduction }: Move, code: KernelCode, level: FeatureLevel, machine: Machine): MoveCode {
  if (reduction === undefined) return machine.copy;
  const run = reduceMove(denseLayout(wholeBytesOf(reduction)), reduction);
  return new MoveCode(() => code.add(reduceProgram(run, reduction, level, DEFAULT_TUNING).code));
}

function requireMachine(): Machine {
  const probed = probeMachine();
  if ("machine" in probed) return probed.machine;
  throw new DeviceError(`backend ${NAME}: expected a machine that runs its code, got none: ${probed.reason}`);
}
