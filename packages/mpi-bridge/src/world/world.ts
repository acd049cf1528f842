import type { Span } from "@stowage/backend-api";
import { check, finalise, importDatatype, initialise, trustHandle, type Mpi, type ThreadLevel } from "@stowage/mpi-abi";
import type { Driver } from "@stowage/cuda-driver";
import type { Nccl } from "@stowage/nccl";
import { createEngine, type Engine } from "@stowage/selector";
import { A_BOOLEAN, A_STRING, givenOptions, oneOf, rulesOf } from "../option-rules.js";
import type { Datatype, DatatypeDocument } from "@stowage/ir";
import { Communicator } from "../communicator/communicator.js";
import type { BridgeType } from "../message/datatype/bridge-type.js";
import type { Message } from "../message/place/message.js";
import { isOnHost } from "../message/place/placed.js";
import { BridgeError } from "../errors.js";
import type { MeasuredCost } from "../message/datatype/measured-cost.js";
import { measurePacks } from "../message/datatype/pack-figures.js";
import type { Hints } from "../message/datatype/hints.js";
import type { TypeLike } from "../message/datatype/type-cache.js";
import { Packer } from "../message/external32/packer.js";
import { MpiFile, type FileOptions } from "../files/file.js";
import { Many } from "../progress/many.js";
import { ints } from "../native/words.js";
import { Window, type WindowOptions } from "../windows/window.js";
import { Context } from "../message/context.js";
import { finaliseAtExit } from "./at-exit.js";
import { loadLaunched } from "./started-by.js";

/** What `openMpi` takes. Everything may be left out. */
export interface MpiOptions {
  /**
   * The path of the MPI's library. Default: that of the mpirun which started the process; STOWAGE_MPI names one too.
   */
  readonly library?: string | undefined;
  /**
   * Which threads may call MPI (MPI 4.1, section 11.6); this package calls it from JavaScript's own. Default:
   * "funneled".
   */
  readonly threadLevel?: ThreadLevel | undefined;
  /** The engine that packs. Default: one over every backend of ours, made when a message first needs one. */
  readonly engine?: Engine | undefined;
  /**
   * Gives the driver of the GPUs whose memory messages lie in. Default: this machine's, opened by the first such
   * message.
   */
  readonly cuda?: (() => Driver) | undefined;
  /** Whether the MPI takes addresses of device memory. Default: what it says (MPIX_Query_cuda_support). */
  readonly cudaAware?: boolean | undefined;
  /**
   * Gives NCCL. Default: this machine's libnccl.so.2, or what STOWAGE_NCCL names, opened by the first dup that asks for
   * it.
   */
  readonly nccl?: (() => Nccl) | undefined;
  /** When MPI is finalised: "exit", as the process ends; "never", by your own call. Default: "exit". */
  readonly finalize?: "exit" | "never" | undefined;
}

const MPI_OPTIONS = rulesOf<MpiOptions>({
  library: A_STRING,
  threadLevel: oneOf("single", "funneled", "serialized", "multiple"),
  engine: {
    expected: "an engine",
    allows: (value) => typeof value === "object" && value !== null && "commit" in value,
  },
  cuda: { expected: "a function that gives a driver", allows: (value) => typeof value === "function" },
  cudaAware: A_BOOLEAN,
  nccl: { expected: "a function that gives NCCL", allows: (value) => typeof value === "function" },
  finalize: oneOf("exit", "never"),
});

/** A running MPI. There is one in a process. */
export class World {
  /** The MPI's library, bound. */
  readonly mpi: Mpi;
  /** The communicator of all ranks that were started together (MPI_COMM_WORLD). */
  readonly world: Communicator;
  /** The communicator of this process alone (MPI_COMM_SELF). */
  readonly self: Communicator;
  /** The thread level that the MPI provides, which may be another than was asked for. */
  readonly threadLevel: ThreadLevel;
  /** Waiting and testing for several requests at once. */
  readonly requests: Many;
  /** Messages into buffers of packed bytes and out of them, in this machine's bytes or in external32. */
  readonly packer: Packer;
  readonly #context: Context;
  #engine: Engine | undefined;
  readonly #ownsEngine: boolean;

  constructor(options: MpiOptions = {}) {
    const given = givenOptions(options, MPI_OPTIONS, "MPI options");
    const { library, threadLevel = "funneled", engine, finalize = "exit", cuda, cudaAware, nccl } = given;
    this.mpi = loadLaunched(library);
    this.threadLevel = initialise(this.mpi, threadLevel);
    this.#isStarter = this.#startedHere();
    this.#engine = engine;
    this.#ownsEngine = engine === undefined;
    const madeEngine = (): Engine => (this.#engine ??= createEngine(cuda === undefined ? {} : { cuda }));
    this.#context = new Context(this.mpi, madeEngine, { cuda, cudaAware, nccl });
    this.requests = new Many(this.#context);
    this.packer = new Packer(this.#context);
    this.world = new Communicator(this.#context, this.mpi.constants.world, "plain", true);
    this.self = new Communicator(this.#context, this.mpi.constants.self, "plain", true);
    if (finalize === "exit" && this.#isStarter) finaliseAtExit(this, this.#context.progress);
  }

  /** Whether this is the thread that started MPI, which alone may end it (MPI 4.1, section 11.2.2). */
  readonly #isStarter: boolean;

  /** Throws a BridgeError where another thread did, and MPI takes calls of that one alone. */
  #startedHere(): boolean {
    const flag = ints(1);
    check(
      this.mpi,
      "MPI_Is_thread_main",
      (this.mpi.bind("MPI_Is_thread_main", "intptr_t") as IsThreadMain)(flag.address),
    );
    const isStarter = flag.values[0] !== 0;
    if (isStarter || this.threadLevel === "multiple" || this.threadLevel === "serialized") return isStarter;
    const expected = 'the thread that started MPI, or { threadLevel: "multiple" } as it was started';
    throw new BridgeError("openMpi", expected, `another thread, and ${this.threadLevel}`);
  }

  /**
   * Makes a datatype for messages, with what is known of its use (MPI_Type_commit). The caller disposes of it. Throws a
   * DatatypeError or BridgeError for what is no datatype, a BridgeError for what is no hint.
   */
  commit(type: Datatype | DatatypeDocument, hints: Hints = {}): BridgeType {
    return this.#context.types.commit(type, hints);
  }

  /**
   * Takes a datatype that native code of this process made, by its MPI_Datatype; the handle stays its maker's. Hints
   * that are not given here come from its attribute. A handle that is not alive ends the process, as in C. The caller
   * disposes of the result.
   */
  adopt(handle: number, hints: Hints = {}): BridgeType {
    using _ = trustHandle(this.mpi, handle);
    return this.commit(importDatatype(this.mpi, handle), { ...this.#context.hintAttribute.of(handle), ...hints });
  }

  /** Sets the attribute of an MPI_Datatype that says hints; copies by MPI_Type_dup have them too. */
  setHints(handle: number, hints: Hints): void {
    this.#context.hintAttribute.set(handle, hints);
  }

  /**
   * The key of that attribute, for MPI_Type_set_attr: its value is the address of
   * "stowage_carrier=packed;stowage_reuse=9".
   */
  get hintKey(): number {
    return this.#context.hintAttribute.key;
  }

  /** The datatype as messages see it: its size, its bounds, how it travels. The bridge disposes of one that it made. */
  typeOf(type: TypeLike): BridgeType {
    return this.#context.types.of(type);
  }

  /**
   * What packing a message's elements costs, by the MPI and by ours, measured now. Throws a BridgeError for elements in
   * a device's memory.
   */
  packsOf(message: Message): MeasuredCost {
    const placed = this.#context.places.of(message);
    if (isOnHost(placed)) return measurePacks(this.#context, placed);
    throw new BridgeError("message to measure", "memory of the host", "a device's (comm.explain predicts that)");
  }

  /** @deprecated `packsOf` says the same. */
  routesOf(message: Message): MeasuredCost {
    return this.packsOf(message);
  }

  /**
   * Makes a window: memory of each rank that all ranks of a communicator read and write (MPI_Win_create; MPI 4.1,
   * section 12.2.1). All of them call it. Throws a BridgeError for options that cannot be, and where the MPI has no
   * one-sided communication here.
   *
   * @example
   * ```typescript
   * // Each rank writes its number into rank 0's window.
   * const { world } = mpi;
   * using window = mpi.createWindow(world, new Float64Array(world.size), { unitBytes: 8 });
   * window.fence();
   * window.put(Float64Array.of(world.rank), 0, { displacement: world.rank });
   * window.fence({ last: true });
   * ```
   */
  createWindow(comm: Communicator, memory: ArrayBufferView | Span, options: WindowOptions = {}): Window {
    return new Window(this.#context, comm, memory, options);
  }

  /**
   * Opens a file that the ranks of a communicator read and write together (MPI_File_open; MPI 4.1, section 14.2.1). All
   * of them call it. Throws a BridgeError for options that cannot be, an MpiError where the MPI opens no such file.
   */
  openFile(comm: Communicator, path: string, options: FileOptions = {}): MpiFile {
    return new MpiFile(this.#context, comm, path, options);
  }

  /** Whether MPI runs: not finalised, nor lost. */
  get isRunning(): boolean {
    return this.#context.native.isRunning;
  }

  /** @internal Why nothing may be asked of the MPI any more, though it was not finalised. */
  get lost(): Error | undefined {
    return this.#context.native.lost;
  }

  /** How many operations of this process are under way. */
  get underWay(): number {
    return this.#context.progress.underWay;
  }

  /** Seconds since some time in the past. */
  wtime(): number {
    return performance.now() / 1000;
  }

  /** Ends every process of the program, as well as the MPI can (MPI_Abort). */
  abort(code = 1): never {
    return this.world.abort(code);
  }

  /**
   * Ends MPI: nothing of it can be used afterwards (MPI_Finalize). All ranks call it. Twice does nothing. In a worker
   * beside the thread that started MPI it ends this worker's use alone.
   */
  finalize(): void {
    const { native } = this.#context;
    if (native.lost !== undefined) throw native.lost;
    if (!native.isRunning) return;
    for (const each of this.#context.endsBeforeMpi) each[Symbol.dispose]();
    this.#context.types[Symbol.dispose]();
    this.#context.gappedTypes[Symbol.dispose]();
    if (this.#isStarter) finalise(this.mpi);
    native.stop();
    for (const each of this.#context.endsBeforeDevices) each.abort();
    this.#context.devices[Symbol.dispose]();
    if (this.#ownsEngine) this.#engine?.[Symbol.dispose]();
  }
}

type IsThreadMain = (flag: number) => number;

let opened: World | undefined;

/**
 * Starts MPI, once in a process (MPI_Init_thread); called again, it gives the same world. Options are those of the
 * first call. Throws a BridgeError for options that there are not, an MpiLibraryError where no MPI can be loaded, a
 * BridgeError where another thread started MPI at a level that lets it alone call.
 */
export function openMpi(options: MpiOptions = {}): World {
  return (opened ??= new World(options));
}
