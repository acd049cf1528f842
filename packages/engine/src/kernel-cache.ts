import {
  artifactKey,
  sameTables,
  type Backend,
  type Conditions,
  type Kernel,
  type Move,
  type Reduction,
} from "@stowage/backend-api";
import { sameLayout } from "@stowage/ir";
import { SharedKernel } from "./shared-kernel.js";

/** In-process keys outlive no release, so their format never changes. */
const CACHE_VERSION = 0;

interface Entry {
  readonly key: string;
  readonly moves: readonly Move[];
  readonly shared: SharedKernel;
}

/**
 * Kernels by what they were compiled for. One that is in use stays; of those that nobody uses the latest are kept, for
 * the next commit of an equal datatype. Belongs to one engine and dies with it.
 */
export class KernelCache implements Disposable {
  readonly #mostUnused: number;
  readonly #entries = new Map<string, Entry[]>();
  /** In the order in which they were last used. */
  readonly #unused = new Set<Entry>();
  #disposed = false;

  constructor(mostUnused: number) {
    this.#mostUnused = mostUnused;
  }

  /** The kernel of `backend` for these moves, held once for the caller; compiled where there is none yet. */
  hold(backend: Backend, moves: readonly Move[], conditions: Conditions): SharedKernel {
    const variant = conditions.reuse === undefined ? "" : (backend.variant?.(moves, conditions) ?? "");
    const key = artifactKey(`${backend.name}${variant}`, CACHE_VERSION, moves, conditions);
    const entries = this.#entries.get(key) ?? [];
    // A key is a hash: equality decides, so that two datatypes can never share a kernel by accident.
    const known = entries.find((entry) => sameMoves(entry.moves, moves));
    const entry = known ?? this.#added(key, moves, backend, kernelOf(backend, moves, conditions));
    this.#unused.delete(entry);
    entry.shared.hold();
    return entry.shared;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    for (const entries of this.#entries.values()) for (const { shared } of entries) shared[Symbol.dispose]();
    this.#entries.clear();
    this.#unused.clear();
  }

  #added(key: string, moves: readonly Move[], backend: Backend, kernel: Kernel): Entry {
    const entry: Entry = { key, moves, shared: new SharedKernel(kernel, backend, () => this.#keepUnused(entry)) };
    this.#entries.set(key, [...(this.#entries.get(key) ?? []), entry]);
    return entry;
  }

  #keepUnused(entry: Entry): void {
    if (this.#disposed) return;
    this.#unused.add(entry);
    for (const oldest of this.#unused) {
      if (this.#unused.size <= this.#mostUnused) return;
      this.#drop(oldest);
    }
  }

  #drop(entry: Entry): void {
    this.#unused.delete(entry);
    const others = (this.#entries.get(entry.key) ?? []).filter((other) => other !== entry);
    if (others.length === 0) this.#entries.delete(entry.key);
    else this.#entries.set(entry.key, others);
    entry.shared[Symbol.dispose]();
  }
}

const kernelOf = (backend: Backend, moves: readonly Move[], conditions: Conditions): Kernel =>
  backend.kernel?.(moves, conditions) ?? backend.load(backend.compile(moves, conditions));

function sameMoves(a: readonly Move[], b: readonly Move[]): boolean {
  return (
    a.length === b.length &&
    a.every((move, i) => {
      const other = b[i];
      if (other === undefined || !sameReduction(move.reduction, other.reduction)) return false;
      if (!sameTables(move.tables, other.tables)) return false;
      return sameLayout(move.source, other.source) && sameLayout(move.target, other.target);
    })
  );
}

const sameReduction = (a: Reduction | undefined, b: Reduction | undefined): boolean =>
  a?.op === b?.op && a?.element === b?.element;
