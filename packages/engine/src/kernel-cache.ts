import { sameLayout } from "@stowage/ir";
import { artifactKey, type Backend, type Conditions, type Kernel, type Move } from "@stowage/backend-api";

/** In-process keys outlive no release, so their format never changes. */
const CACHE_VERSION = 0;

interface Entry {
  readonly moves: readonly Move[];
  readonly kernel: Kernel;
}

/** Kernels by what they were compiled for. Belongs to one engine and dies with it. */
export class KernelCache implements Disposable {
  readonly #entries = new Map<string, Entry[]>();

  /** The kernel of `backend` for these moves, compiled at most once. */
  kernelFor(backend: Backend, moves: readonly Move[], conditions: Conditions): Kernel {
    const key = artifactKey(backend.name, CACHE_VERSION, moves, conditions);
    const entries = this.#entries.get(key) ?? [];
    // A key is a hash: equality decides, so that two datatypes can never share a kernel by accident.
    const known = entries.find((entry) => sameMoves(entry.moves, moves));
    if (known !== undefined) return known.kernel;
    const kernel = backend.load(backend.compile(moves, conditions));
    this.#entries.set(key, [...entries, { moves, kernel }]);
    return kernel;
  }

  [Symbol.dispose](): void {
    for (const entries of this.#entries.values()) {
      for (const { kernel } of entries) kernel[Symbol.dispose]();
    }
    this.#entries.clear();
  }
}

function sameMoves(a: readonly Move[], b: readonly Move[]): boolean {
  return (
    a.length === b.length &&
    a.every((move, i) => {
      const other = b[i];
      return other !== undefined && sameLayout(move.source, other.source) && sameLayout(move.target, other.target);
    })
  );
}
