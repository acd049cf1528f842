import { contents, childrenOf, visitPostOrder, type BoundsRule, type Datatype } from "@stowage/ir";
import koffi from "koffi";
import { builtLibrary } from "./build-library.js";

const RULES: readonly BoundsRule[] = ["standard", "open-mpi", "mpich"];

type Handle = unknown;
type Integer = number | bigint;
type Call = (...args: readonly unknown[]) => unknown;

/** An address: BigInt, for koffi takes a number as one too where it is small enough. */
const address = (at: number): bigint => BigInt(at);

const BUILD = "void *builder";
/** The calls, as the headers declare them. */
const DECLARATIONS = [
  "const char *stowage_version()",
  "const char *stowage_text(int status)",
  "void *stowage_builder_new(int rule)",
  `void stowage_builder_free(${BUILD})`,
  `const char *stowage_builder_error(${BUILD})`,
  `int stowage_builder_status(${BUILD})`,
  `uint32_t stowage_named(${BUILD}, const char *name)`,
  `uint32_t stowage_contiguous(${BUILD}, int64_t count, uint32_t child)`,
  `uint32_t stowage_vector(${BUILD}, int64_t count, int64_t blocklength, int64_t stride, uint32_t child)`,
  `uint32_t stowage_hvector(${BUILD}, int64_t count, int64_t blocklength, int64_t stride, uint32_t child)`,
  `uint32_t stowage_indexed(${BUILD}, int64_t count, const int64_t *lengths, const int64_t *at, uint32_t child)`,
  `uint32_t stowage_hindexed(${BUILD}, int64_t count, const int64_t *lengths, const int64_t *at, uint32_t child)`,
  `uint32_t stowage_indexed_block(${BUILD}, int64_t count, int64_t length, const int64_t *at, uint32_t child)`,
  `uint32_t stowage_hindexed_block(${BUILD}, int64_t count, int64_t length, const int64_t *at, uint32_t child)`,
  `uint32_t stowage_struct(${BUILD}, int64_t count, const int64_t *lengths, const int64_t *at, const uint32_t *of)`,
  `uint32_t stowage_subarray(${BUILD}, int64_t n, const int64_t *sizes, const int64_t *subsizes, const int64_t *starts, int order, uint32_t child)`,
  `uint32_t stowage_darray(${BUILD}, int64_t size, int64_t rank, int64_t n, const int64_t *sizes, const int64_t *distributions, const int64_t *arguments, const int64_t *processes, int order, uint32_t child)`,
  `uint32_t stowage_resized(${BUILD}, int64_t lower, int64_t extent, uint32_t child)`,
  `uint32_t stowage_dup(${BUILD}, uint32_t child)`,
  `int stowage_commit(void *context, ${BUILD}, uint32_t node, _Out_ void **type)`,
  "int stowage_commit_description(void *context, const void *bytes, size_t length, _Out_ void **type)",
  "void stowage_type_free(void *type)",
  "int64_t stowage_type_size(void *type)",
  "StowageBounds stowage_type_bounds(void *type)",
  "void *stowage_type_description(void *type, _Out_ size_t *length)",
  "int stowage_pack(void *source, int64_t count, void *type, void *target, int64_t bytes)",
  "int stowage_unpack(void *source, int64_t bytes, void *type, void *target, int64_t count)",
  "int stowage_copy(void *source, int64_t n, void *type, void *target, int64_t m, void *other)",
  "int stowage_pack_range(void *source, int64_t count, void *type, int64_t first, void *target, int64_t length)",
  "int stowage_unpack_range(void *source, int64_t length, void *type, int64_t first, void *target, int64_t count)",
  "int stowage_copy_range(void *source, int64_t n, void *type, int64_t first, int64_t length, void *target, int64_t m, void *other)",
  "int stowage_reduce(void *source, int64_t bytes, int op, int element, void *type, void *target, int64_t count)",
  "int stowage_reduce_range(void *source, int64_t length, int op, int element, void *type, int64_t first, void *target, int64_t count)",
  "size_t stowage_explain(void *type, _Out_ uint8_t *text, size_t room)",
] as const;

export interface NativeBounds {
  readonly extent: number;
  readonly lower_bound: number;
  readonly true_extent: number;
  readonly true_lower_bound: number;
}

/** A committed type of libstowage. */
export class NativeType implements Disposable {
  readonly #library: Library;
  readonly handle: Handle;

  constructor(library: Library, handle: Handle) {
    this.#library = library;
    this.handle = handle;
  }

  get sizeBytes(): number {
    return Number(this.#library.call("stowage_type_size", this.handle));
  }

  get bounds(): NativeBounds {
    return this.#library.call("stowage_type_bounds", this.handle) as NativeBounds;
  }

  description(): Uint8Array {
    const length = [0];
    const at = this.#library.call("stowage_type_description", this.handle, length);
    return Uint8Array.from(koffi.decode(at, "uint8_t", Number(length[0])) as number[]);
  }

  /** The status: 0 where bytes moved. Addresses are numbers. */
  pack(source: number, count: Integer, first: Integer, target: number, length: Integer): number {
    const { handle } = this;
    return this.#library.status("stowage_pack_range", address(source), count, handle, first, address(target), length);
  }

  unpack(source: number, length: Integer, first: Integer, target: number, count: Integer): number {
    const { handle } = this;
    return this.#library.status("stowage_unpack_range", address(source), length, handle, first, address(target), count);
  }

  explain(): string {
    const text = new Uint8Array(4096);
    const length = Number(this.#library.call("stowage_explain", this.handle, text, text.length));
    return Buffer.from(text.subarray(0, Math.min(length, text.length - 1))).toString();
  }

  [Symbol.dispose](): void {
    this.#library.call("stowage_type_free", this.handle);
  }
}

/** libstowage through koffi. */
export class Library {
  readonly #calls: Readonly<Record<string, Call>>;

  constructor(path: string) {
    const library = koffi.load(path);
    const calls = DECLARATIONS.map((text) => library.func(text));
    this.#calls = Object.fromEntries(
      DECLARATIONS.map((text, i) => [/(stowage_\w+)\(/.exec(text)?.[1] ?? "", calls[i] as unknown as Call]),
    );
  }

  call(name: string, ...args: readonly unknown[]): unknown {
    const call = this.#calls[name];
    if (call === undefined) throw new Error(`${name}: expected a call of libstowage`);
    return call(...args);
  }

  status(name: string, ...args: readonly unknown[]): number {
    return this.call(name, ...args) as number;
  }

  /** The datatype by the library's own constructors. Throws what the builder says. */
  commit(datatype: Datatype, bounds: BoundsRule = "standard"): NativeType {
    const builder = this.call("stowage_builder_new", RULES.indexOf(bounds));
    try {
      const type: [Handle] = [null];
      const status = this.status("stowage_commit", null, builder, this.#built(builder, datatype), type);
      if (status !== 0)
        throw new Error(
          `${this.call("stowage_text", status) as string}: ${this.call("stowage_builder_error", builder) as string}`,
        );
      return new NativeType(this, type[0]);
    } finally {
      this.call("stowage_builder_free", builder);
    }
  }

  /** A status where the bytes are no description. */
  commitDescription(bytes: Uint8Array): NativeType | number {
    const type: [Handle] = [null];
    const status = this.status("stowage_commit_description", null, bytes, bytes.length, type);
    return status === 0 ? new NativeType(this, type[0]) : status;
  }

  #built(builder: Handle, datatype: Datatype): number {
    const nodes = new Map<Datatype, number>();
    visitPostOrder(
      datatype,
      (type) => nodes.has(type),
      (type) => nodes.set(type, this.#node(builder, type, nodes)),
    );
    return nodes.get(datatype) as number;
  }

  #node(builder: Handle, type: Datatype, nodes: ReadonlyMap<Datatype, number>): number {
    const make = (name: string, ...args: readonly unknown[]): number =>
      this.call(`stowage_${name}`, builder, ...args) as number;
    if (type.kind === "predefined") return make("named", type.name);
    const children = childrenOf(type).map((child) => nodes.get(child) as number);
    const [child = 0] = children;
    const { integers, addresses } = contents(type);
    const [ints, places] = [listOf(integers), listOf(addresses)];
    const [count = 0n] = ints;
    const n = Number(count);
    switch (type.kind) {
      case "contiguous":
        return make("contiguous", count, child);
      case "vector":
        return make("vector", ...ints, child);
      case "hvector":
        return make("hvector", ...ints, ...places, child);
      case "indexed":
        return make("indexed", count, ints.slice(1, 1 + n), ints.slice(1 + n), child);
      case "hindexed":
        return make("hindexed", count, ints.slice(1), places, child);
      case "indexed_block":
        return make("indexed_block", count, ints[1], ints.slice(2), child);
      case "hindexed_block":
        return make("hindexed_block", count, ints[1], places, child);
      case "struct":
        return make("struct", count, ints.slice(1), places, Uint32Array.from(children));
      case "subarray": {
        const rows = [0, 1, 2].map((row) => ints.slice(1 + row * n, 1 + (row + 1) * n));
        return make("subarray", count, ...rows, Number(ints.at(-1)), child);
      }
      case "darray": {
        const dimensions = Number(ints[2]);
        const rows = [0, 1, 2, 3].map((row) => ints.slice(3 + row * dimensions, 3 + (row + 1) * dimensions));
        return make("darray", ints[0], ints[1], ints[2], ...rows, Number(ints.at(-1)), child);
      }
      case "resized":
        return make("resized", ...places, child);
      case "dup":
        return make("dup", child);
    }
  }
}

/** Numbers as 64-bit integers. */
const listOf = (list: ArrayLike<number>): BigInt64Array => BigInt64Array.from(Array.from(list), (each) => BigInt(each));

let library: Library | undefined;

/** One a process, compiled when it is first asked for. */
export function libstowage(): Library {
  if (library !== undefined) return library;
  koffi.struct("StowageBounds", {
    extent: "int64_t",
    lower_bound: "int64_t",
    true_extent: "int64_t",
    true_lower_bound: "int64_t",
  });
  return (library = new Library(builtLibrary()));
}
