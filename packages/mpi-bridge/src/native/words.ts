import type { Handles, Mpi } from "@stowage/mpi-abi";
import koffi from "koffi";

/** The address of a view's memory; it holds as long as the view is attached, for array buffers do not move. */
export const addressOf = (view: ArrayBufferView): number => Number(koffi.address(view));

/** C ints at a known address. */
export interface Ints {
  readonly values: Int32Array;
  readonly address: number;
}

export function ints(length: number): Ints {
  const values = new Int32Array(new ArrayBuffer(4 * length + 8)); // a buffer of its own never moves; never empty
  return { values, address: addressOf(values) };
}

export function intsOf(list: readonly number[]): Ints {
  const made = ints(list.length);
  made.values.set(list);
  return made;
}

/** MPI_Aint's at a known address. */
export interface Wides {
  readonly values: BigInt64Array;
  readonly address: number;
}

export function widesOf(list: readonly number[]): Wides {
  const values = new BigInt64Array(new ArrayBuffer(8 * list.length + 8));
  list.forEach((value, i) => (values[i] = BigInt(value)));
  return { values, address: addressOf(values) };
}

/** Handles at a known address. */
export interface HandleList extends Handles {
  readonly address: number;
}

export function handleList(mpi: Mpi, length: number): HandleList {
  const handles = mpi.abi.handles(length + 1);
  return { ...handles, address: addressOf(handles.view) };
}

export function handlesOf(mpi: Mpi, list: readonly number[]): HandleList {
  const made = handleList(mpi, list.length);
  list.forEach((handle, i) => made.set(i, handle));
  return made;
}

/** The C string that lies at an address. */
export const textAt = (address: number): string => koffi.decode(BigInt(address), "char", -1) as string;

/** A C string. */
export function cString(text: string): { readonly bytes: Uint8Array; readonly address: number } {
  const bytes = new Uint8Array(new ArrayBuffer(Buffer.byteLength(text) + 1));
  bytes.set(Buffer.from(text));
  return { bytes, address: addressOf(bytes) };
}

/** The C int that lies at an address. */
export const intAt = (address: number): number => koffi.decode(BigInt(address), "int") as number;

type Memcpy = (target: number, source: number, bytes: number) => number;
let memcpy: Memcpy | undefined;

/** Copies bytes from one address to another. */
export function copyMemory(target: number, source: number, bytes: number): void {
  memcpy ??= koffi.load("libc.so.6").func("uintptr_t memcpy(uintptr_t, uintptr_t, size_t)") as Memcpy;
  memcpy(target, source, bytes);
}
