import {
  packMove,
  reduceMove,
  reductionOf,
  unpackMove,
  type Artifact,
  type Backend,
  type Completion,
  type Conditions,
  type Element,
  type Kernel,
  type Move,
  type UnpackOperation,
} from "@stowage/backend-api";
import type { BufferLike } from "./buffer-like.js";
import { chooseFirst, type Choice, type Choose } from "./choose.js";
import {
  checkCommitOptions,
  NO_OPTIONS,
  packConditions,
  unpackConditions,
  type CommitOptions,
  type LimitOptions,
} from "./commit-options.js";
import { CommittedCopy } from "./committed-copy.js";
import { CommittedMove } from "./committed-move.js";
import { Committed } from "./committed.js";
import {
  checkCommitCopyOptions,
  checkCopyOptions,
  copyConditions,
  type CommitCopyOptions,
  type CopyOptions,
} from "./copy-options.js";
import { canonicalLayout, datatypeOf, type DatatypeLike } from "./datatype-like.js";
import { EngineResources } from "./engine-resources.js";
import { checkSettings, type EngineSettings } from "./engine-settings.js";
import { checkLoadOptions, loadable, type LoadOptions } from "./load-options.js";
import { requireNamed } from "./require-backends.js";
import { moveBetween } from "./move-between.js";
import { CommittedPages, type PagesOptions } from "./pages/committed-pages.js";

const UNUSED_KERNELS = 64;

/**
 * Commits datatypes: chooses a backend for each, compiles when first used, and keeps what it compiled while it is used.
 */
export class Engine implements Disposable {
  /** The backends to choose among, in the order in which they are asked. */
  readonly backends: readonly Backend[];
  /** The backend that is used for everything, by name, unless a commit's own option names another. */
  readonly forced: string | undefined;
  readonly #choose: Choose;
  readonly #resources: EngineResources;

  /** Throws an ArgumentError where the settings are none, or no backend has the name that is forced. */
  constructor(settings: EngineSettings) {
    checkSettings(settings);
    const { backends, choose = chooseFirst, forced, observer, owned = [], unusedKernels = UNUSED_KERNELS } = settings;
    this.backends = Object.freeze([...backends]);
    this.forced = forced;
    this.#choose = choose;
    this.#resources = new EngineResources(owned, unusedKernels, observer);
  }

  /**
   * Commits a datatype (as MPI_Type_commit): finds that backends take its pack and unpack. Each is chosen and compiled
   * when it is first used. Throws a NoBackendError where no backend takes the datatype, an ArgumentError or a
   * DatatypeError for what is no datatype or no option, a DisposedError once the engine has been disposed of.
   */
  commit(type: DatatypeLike, options: CommitOptions = NO_OPTIONS): Committed {
    this.#resources.requireOpen();
    checkCommitOptions(options);
    const datatype = datatypeOf(type);
    const layout = canonicalLayout(datatype);
    const pack = this.#move(packMove(layout), packConditions(options), options);
    const unpack = this.#move(unpackMove(layout), unpackConditions(options), options);
    const reduceBy = (op: UnpackOperation, element?: Element): CommittedMove | undefined => {
      const reduction = reductionOf(op, datatype, element);
      this.#resources.requireOpen();
      return reduction && this.#move(reduceMove(layout, reduction), unpackConditions(options), options);
    };
    return new Committed(layout, pack, unpack, reduceBy);
  }

  /**
   * Chooses a backend for copies from elements of one datatype to elements of another: a transpose, ghost cells, an
   * array of structs that becomes arrays. Throws a DatatypeError where their signatures differ (of layouts, their
   * sizes), a NoBackendError where no backend takes the copy, an ArgumentError for what is no option.
   *
   * @example
   * ```typescript
   * // A transpose of 4 × 3 doubles: rows of three become columns.
   * const column = resized(0, 8, vector(3, 1, 4, "MPI_DOUBLE"));
   * using transpose = engine.commitCopy(contiguous(12, "MPI_DOUBLE"), contiguous(4, column));
   * transpose.copy(new Float64Array(12), new Float64Array(12));
   * ```
   */
  commitCopy(from: DatatypeLike, to: DatatypeLike, options: CommitCopyOptions = {}): CommittedCopy {
    this.#resources.requireOpen();
    checkCommitCopyOptions(options);
    return this.#commitCopy(from, to, options);
  }

  /**
   * One copy of `from`, laid out as `fromType`, to `to`, laid out as `toType`, without a packed stream in between. Its
   * code is kept for the next copy of equal types. Throws as commitCopy and CommittedCopy.copy do.
   */
  copy(
    from: BufferLike,
    fromType: DatatypeLike,
    to: BufferLike,
    toType: DatatypeLike,
    options: CopyOptions = {},
  ): Completion {
    this.#resources.requireOpen();
    checkCopyOptions(options);
    const { count, first, length, queue, ...known } = options;
    const committed = this.#commitCopy(fromType, toType, known);
    try {
      return committed.copy(from, to, { count, first, length, queue });
    } finally {
      committed[Symbol.dispose]();
    }
  }

  /**
   * The kernel of an artifact, or of the bytes of one that was stored, by the backend that made it. Code in it is
   * trusted: `allow` names the backends that it may be of. The kernel is the caller's to dispose of, before the engine.
   * Throws an ArtifactError where it is damaged, or of a backend that is not allowed or not there.
   */
  load(artifact: Artifact | Uint8Array, options: LoadOptions = {}): Kernel {
    this.#resources.requireOpen();
    checkLoadOptions(options);
    const found = loadable(this.backends, artifact, options);
    return found.backend.load(found.artifact);
  }

  /**
   * Chooses a backend for copies of pages between pools, such as those of paged key and value caches: which pages, each
   * copy's tables say. Throws a NoBackendError where no backend takes them; an ArgumentError, BindingError or
   * DatatypeError for what can be no groups, pools or pages.
   *
   * @example
   * ```typescript
   * // Pages of 4 KiB of two layers, from one pair of pools to another.
   * const pools = () => ({ bases: [new Uint8Array(1 << 20), new Uint8Array(1 << 20)], strideBytes: 4096 });
   * const page = contiguous(4096, "MPI_BYTE");
   * const pages = engine.commitPages({ groups: [{ page, source: pools(), target: pools() }], index: "u32" });
   * using plan = pages.bind({ sourcePages: Uint32Array.of(7, 2), targetPages: Uint32Array.of(0, 1) });
   * plan.run();
   * ```
   */
  commitPages(options: PagesOptions): CommittedPages {
    this.#resources.requireOpen();
    const choose = (moves: readonly Move[], known: Conditions): Choice => this.choiceFor(moves, known, options);
    return new CommittedPages(options, choose, this.#resources);
  }

  /**
   * What a commit would choose for some moves, whose layouts must be canonical. Throws a NoBackendError where nothing
   * takes them, an ArgumentError where no backend has the name.
   */
  choiceFor(moves: readonly Move[], conditions: Conditions, { backend }: Pick<LimitOptions, "backend"> = {}): Choice {
    requireNamed("backend", this.backends, backend);
    return this.#choose(this.backends, moves, conditions, backend ?? this.forced);
  }

  /**
   * Waits for what is under way, and disposes of plans and kernels. What was committed can no longer be used: its calls
   * throw a DisposedError.
   */
  [Symbol.dispose](): void {
    this.#resources[Symbol.dispose]();
  }

  #commitCopy(from: DatatypeLike, to: DatatypeLike, options: CommitCopyOptions): CommittedCopy {
    const move = moveBetween(datatypeOf(from), datatypeOf(to));
    return new CommittedCopy(this.#move(move, copyConditions(options), options));
  }

  #move(move: Move, conditions: Conditions, options: LimitOptions): CommittedMove {
    return new CommittedMove(move, conditions, this.choiceFor([move], conditions, options), this.#resources);
  }
}
