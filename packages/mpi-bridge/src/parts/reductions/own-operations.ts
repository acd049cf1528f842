import { ELEMENTS, type Element, type Reduction } from "@stowage/backend-api";
import type { PredefinedName } from "@stowage/ir";
import type { Accumulation } from "@stowage/mpi-abi";
import koffi from "koffi";
import type { Context } from "../../message/context.js";
import type { BridgeType } from "../../message/datatype/bridge-type.js";
import type { TypeCache } from "../../message/datatype/type-cache.js";
import type { Native } from "../../native/native.js";
import { addressOf, copyMemory, handleList, intAt, type HandleList } from "../../native/words.js";
import { basicNameOf, moveOfOperation } from "./move-of-operation.js";

/** MPI_User_function (MPI 4.1, section 6.9.5): invec, inoutvec, len, datatype. */
const USER_FUNCTION = koffi.proto("void stowage_operation(intptr_t, intptr_t, intptr_t, intptr_t)");

/**
 * Elements that an MPI is asked to combine: vectors of 64 bytes several times over, and a rest that a loop takes.
 */
const TRIED = 259;

interface Made {
  readonly cell: HandleList;
  readonly callback: ReturnType<typeof koffi.register>;
}

/**
 * MPI's predefined operations, and ours where this MPI's own give other results than MPI 4.1, section 6.9.2, says. Each
 * is tried on elements of a basic type before it is first used: Open MPI saturates sums of 8 and 16 bits where it has
 * vector instructions, and compares MPI_UNSIGNED_LONG as signed and MPI_OFFSET as unsigned; MPICH takes unsigned
 * numbers for signed in MPI_MAX.
 */
export class OwnOperations implements Disposable {
  readonly #native: Native;
  readonly #types: TypeCache;
  /** By the operation, then by the basic type's name. */
  readonly #right = new Map<Accumulation, Map<string, boolean>>();
  readonly #made = new Map<Accumulation, Map<string, Made>>();

  constructor({ native, types, endsBeforeMpi }: Context) {
    this.#native = native;
    this.#types = types;
    endsBeforeMpi.add(this);
  }

  /** Whether this MPI's own operation gives other results than an unpack with it. */
  isWrong(op: Accumulation, type: BridgeType): boolean {
    const reduction = moveOfOperation(op, type);
    if (reduction === undefined) return false;
    return !knownIn(this.#right, op, basicNameOf(type), (name) => this.#isRight(op, this.#types.of(name), reduction));
  }

  /** The MPI_Op of an operation of ours, for elements of a datatype that an unpack combines. */
  handleOf(op: Accumulation, type: BridgeType): number {
    const reduction = moveOfOperation(op, type) as Reduction;
    return knownIn(this.#made, op, basicNameOf(type), (name) => this.#make(this.#types.of(name), reduction)).cell.get(
      0,
    );
  }

  /** Ahead of MPI_Finalize. */
  [Symbol.dispose](): void {
    for (const { cell, callback } of [...this.#made.values()].flatMap((made) => [...made.values()])) {
      this.#native.call("MPI_Op_free", cell.address);
      koffi.unregister(callback);
    }
    this.#made.clear();
  }

  /**
   * MPI calls it from this thread, inside a call that this thread makes. Elements are copied, for kernels are given
   * memory of JavaScript's.
   */
  #make(basic: BridgeType, reduction: Reduction): Made {
    let [arrived, held] = [new Uint8Array(0), new Uint8Array(0)];
    const combine = (from: number, into: number, length: number): void => {
      const count = intAt(length);
      const bytes = count * basic.sizeBytes;
      if (bytes === 0) return;
      if (bytes > arrived.length) [arrived, held] = [new Uint8Array(bytes), new Uint8Array(bytes)];
      copyMemory(addressOf(arrived), from, bytes);
      copyMemory(addressOf(held), into, bytes);
      basic.committed.unpack(arrived.subarray(0, bytes), held, { count, ...reduction }).wait();
      copyMemory(into, addressOf(held), bytes);
    };
    const callback = koffi.register(combine, koffi.pointer(USER_FUNCTION));
    const cell = handleList(this.#native.mpi, 0);
    this.#native.call("MPI_Op_create", Number(koffi.address(callback)), IS_COMMUTATIVE, cell.address);
    return { cell, callback };
  }

  #isRight(op: Accumulation, basic: BridgeType, reduction: Reduction): boolean {
    const { constants } = this.#native;
    const [arriving, held] = [tried(reduction.element, 1), tried(reduction.element, 2)];
    const ours = held.slice();
    basic.committed.unpack(arriving, ours, { count: TRIED, ...reduction }).wait();
    const rest = [TRIED, basic.native, constants.accumulations[op]] as const;
    const code = this.#native.bare("MPI_Reduce_local", addressOf(arriving), addressOf(held), ...rest);
    return code === 0 && Buffer.compare(held, ours) === 0;
  }
}

const IS_COMMUTATIVE = 1;

function knownIn<T>(
  all: Map<Accumulation, Map<string, T>>,
  op: Accumulation,
  name: PredefinedName,
  make: (name: PredefinedName) => T,
): T {
  let ofOp = all.get(op);
  if (ofOp === undefined) all.set(op, (ofOp = new Map<string, T>()));
  let known = ofOp.get(name);
  if (known === undefined) ofOp.set(name, (known = make(name)));
  return known;
}

/** Elements of a sort, of every size that an operation may take for another; floating-point ones are whole numbers. */
function tried(element: Element, seed: number): Uint8Array {
  const { kind, sizeBytes } = ELEMENTS[element];
  const bytes = new Uint8Array(TRIED * sizeBytes);
  const parts = kind === "complex" ? 2 : 1;
  const width = sizeBytes / parts;
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < TRIED * parts; i++) {
    const bits = Math.imul(i * seed + 1, 0x9e3779b1) >>> 0;
    if (kind === "boolean") view.setUint8(i, bits >>> 31);
    else if (kind === "float" || kind === "complex") {
      const whole = 1 + (bits >>> 24);
      if (width === 4) view.setFloat32(4 * i, whole, true);
      else view.setFloat64(8 * i, whole, true);
    } else
      for (let at = 0; at < width; at++) view.setUint8(width * i + at, at === width - 1 ? bits >>> 24 : bits >>> 8);
  }
  return bytes;
}
