import { check, MpiLibraryError, type CommunicationConstants, type Mpi } from "@stowage/mpi-abi";
import { hasMachineCode, MachineLauncher, PlainLauncher, type Launcher, type WrittenCall } from "./launcher.js";
import { parametersOf, PROTOTYPES, type CallName } from "./prototypes.js";
import { ints, type Ints } from "./words.js";

type BareCall = (...args: number[]) => number;

/**
 * The calls of one MPI that the bridge makes: checked ones by name, and those of every message through the launcher.
 */
export class Native {
  readonly mpi: Mpi;
  readonly constants: CommunicationConstants;
  /** Output of the call that runs now: JavaScript has one thread, and every output is read before the next call. */
  readonly out: Ints = ints(16);
  /** The status that the call that runs now writes. */
  readonly status: Ints = ints(8);
  readonly #entries = new Map<CallName, number>();
  readonly #launcher: Launcher<CallName>;
  #running = true;

  constructor(mpi: Mpi) {
    this.mpi = mpi;
    this.constants = mpi.constants.communication;
    this.#launcher = hasMachineCode()
      ? new MachineLauncher((name) => mpi.addressOf(name))
      : new PlainLauncher((name) => padded(name, mpi.bind(name, parametersOf(name)) as BareCall));
  }

  /** Makes a call; throws a MpiError unless it succeeds, and a MpiLibraryError once MPI was finalised. */
  call(name: CallName, ...args: number[]): void {
    this.check(name, this.#made(name, args));
  }

  /** Makes a call and returns its code. */
  bare(name: CallName, ...args: number[]): number {
    return this.#made(name, args);
  }

  #made(name: CallName, args: readonly number[]): number {
    this.requireRunning(name);
    let entry = this.#entries.get(name);
    if (entry === undefined) this.#entries.set(name, (entry = this.#launcher.entryOf(name)));
    return this.#launcher.runList(entry, args);
  }

  check(name: CallName, code: number): void {
    if (code !== 0) check(this.mpi, name, code);
  }

  /** For `launch`: a call that is made for every message. */
  entryOf(name: CallName): number {
    return this.#launcher.entryOf(name);
  }

  /** Makes a call of up to 8 arguments and returns its code. The caller has seen to it that MPI runs. */
  launch(entry: number, a: number, b: number, c: number, d: number, e: number, f = 0, g = 0, h = 0): number {
    return this.#launcher.run(entry, a, b, c, d, e, f, g, h);
  }

  /** Makes a call that is written already. */
  launchWritten(call: WrittenCall): number {
    return this.#launcher.runWritten(call);
  }

  get isRunning(): boolean {
    return this.#running && this.#lost === undefined;
  }

  /** Why nothing more may be asked of the MPI, though it was not finalised. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  /** The MPI would touch memory that is no longer its caller's: no call reaches it from here on. */
  lose(error: Error): void {
    this.#lost ??= error;
  }

  #lost: Error | undefined;

  /** No call reaches the library from here on: after MPI_Finalize most MPIs would end the process. */
  stop(): void {
    this.#running = false;
  }

  requireRunning(name: string): void {
    if (this.isRunning) return;
    if (this.#lost !== undefined) throw this.#lost;
    throw new MpiLibraryError(`${name} of ${this.mpi.name}: expected a running MPI, got a call after finalize`);
  }
}

/** koffi wants as many arguments as there are parameters. */
const padded =
  (name: CallName, bound: BareCall): BareCall =>
  (...args) =>
    bound(...args.slice(0, PROTOTYPES[name].length));
