import { Assembler, general, mem, r8, r9, rax, rbx, rcx, rdi, rdx, rsi, rsp, sse } from "@stowage/asm-x64";
import koffi from "koffi";
import { executable } from "./executable.js";
import { addressOf } from "./words.js";

/** Calls of integer arguments, each made many times. An entry is what `entryOf` gave for a function. */
export interface Launcher<Name> {
  entryOf(name: Name): number;
  /** Makes a call of up to 8 arguments. */
  run(entry: number, a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number): number;
  /** Makes a call of all the arguments that a list has, up to 10. */
  runList(entry: number, list: readonly number[]): number;
  /** Makes a call that is written already. */
  runWritten(call: WrittenCall): number;
}

/** The System V x86-64 ABI, section 3.2.3: the seventh integer argument and those after it lie on the stack. */
const REGISTERS = [rdi, rsi, rdx, rcx, r8, r9] as const;
/** An even number keeps the stack aligned to 16 bytes. */
const STACK_ARGUMENTS = 4;
const MOST_ARGUMENTS = REGISTERS.length + STACK_ARGUMENTS;
/** A call in memory: the function, its arguments, then its result. */
const RESULT = 1 + MOST_ARGUMENTS;

/** A word is written as two halves: JavaScript's numbers are doubles. */
const HALF = 2 ** 32;

/**
 * A call that is written once and made often: an entry, its arguments, its result, as words that machine code loads. A
 * callee that takes an int reads the lower half of a register.
 */
export class WrittenCall {
  readonly #halves = new Uint32Array(new ArrayBuffer(8 * (RESULT + 1))); // a buffer of its own never moves
  readonly result = new Int32Array(this.#halves.buffer, 8 * RESULT, 1);
  readonly address = addressOf(this.#halves);

  /** The entry, at 0, or an argument behind it: an address, a handle or an int, all safe integers. */
  write(at: number, value: number): void {
    const high = Math.floor(value / HALF);
    this.#halves[2 * at] = value - high * HALF; // little-endian
    this.#halves[2 * at + 1] = high; // modulo 2^32: two's complement
  }

  /** What was written there. */
  read(at: number): number {
    return ((this.#halves[2 * at + 1] as number) | 0) * HALF + (this.#halves[2 * at] as number);
  }
}

/** Whether this process can run machine code of ours. */
export const hasMachineCode = (): boolean => process.arch === "x64" && process.platform === "linux";

/** An argument of a call into C costs 12 ns, a store into memory 1: so functions without arguments find them there. */
export class MachineLauncher<Name extends string> implements Launcher<Name> {
  readonly #addressOf: (name: Name) => number;
  /** The call that `run` and `runList` write: as doubles, which the code converts. */
  readonly #cells = new Float64Array(new ArrayBuffer(8 * (RESULT + 1)));
  readonly #result = new Int32Array(this.#cells.buffer, 8 * RESULT, 1);
  /** Holds the address of the call that was written already. */
  readonly #written = new Float64Array(new ArrayBuffer(8));
  readonly #launch: () => void;
  readonly #launchWritten: () => void;

  constructor(addressOfCall: (name: Name) => number) {
    this.#addressOf = addressOfCall;
    const prototype = koffi.proto("void stowage_mpi_launch()");
    const functionOf = (code: Uint8Array): (() => void) =>
      koffi.decode(BigInt(executable(code)), prototype) as () => void;
    this.#launch = functionOf(launchCode(addressOf(this.#cells), "doubles"));
    this.#launchWritten = functionOf(launchCode(addressOf(this.#written), "written"));
  }

  entryOf(name: Name): number {
    return this.#addressOf(name);
  }

  run(entry: number, a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number): number {
    const cells = this.#cells;
    cells[0] = entry;
    cells[1] = a;
    cells[2] = b;
    cells[3] = c;
    cells[4] = d;
    cells[5] = e;
    cells[6] = f;
    cells[7] = g;
    cells[8] = h;
    this.#launch();
    return this.#result[0] as number;
  }

  runList(entry: number, list: readonly number[]): number {
    const cells = this.#cells;
    cells[0] = entry;
    for (let i = 0; i < MOST_ARGUMENTS; i++) cells[1 + i] = i < list.length ? (list[i] as number) : 0;
    this.#launch();
    return this.#result[0] as number;
  }

  runWritten({ address, result }: WrittenCall): number {
    this.#written[0] = address;
    this.#launchWritten();
    return result[0] as number;
  }
}

/** Makes the call that lies at an address, of doubles, or the written one whose address lies there. */
function launchCode(address: number, what: "doubles" | "written"): Uint8Array {
  const asm = new Assembler();
  const load = what === "doubles" ? sse.cvttsd2si : general.mov_r64_rm64;
  asm.emit(general.push_r64, [rbx]); // the stack is aligned to 16 bytes now, and stays so
  asm.emit(general.mov_r64_imm64, [rbx, BigInt(address)]);
  if (what === "written") asm.emit(sse.cvttsd2si, [rbx, mem(rbx)]);
  for (let i = MOST_ARGUMENTS; i > REGISTERS.length; i--) {
    asm.emit(load, [rax, mem(rbx, 8 * i)]);
    asm.emit(general.push_r64, [rax]);
  }
  REGISTERS.forEach((register, i) => asm.emit(load, [register, mem(rbx, 8 * (1 + i))]));
  asm.emit(load, [rax, mem(rbx)]);
  asm.emit(general.call_rm64, [rax]);
  asm.emit(general.add_rm64_imm8, [rsp, 8 * STACK_ARGUMENTS]);
  asm.emit(general.mov_rm64_r64, [mem(rbx, 8 * RESULT), rax]);
  asm.emit(general.pop_r64, [rbx]);
  asm.emit(general.ret);
  return asm.finish();
}

/** Calls through koffi, where no machine code of ours can run. */
export class PlainLauncher<Name extends string> implements Launcher<Name> {
  readonly #bind: (name: Name) => (...args: number[]) => number;
  readonly #bound: ((...args: number[]) => number)[] = [];

  constructor(bind: (name: Name) => (...args: number[]) => number) {
    this.#bind = bind;
  }

  entryOf(name: Name): number {
    return this.#bound.push(this.#bind(name)) - 1;
  }

  run(entry: number, ...args: number[]): number {
    return this.runList(entry, args);
  }

  runList(entry: number, list: readonly number[]): number {
    return (this.#bound[entry] as (...args: readonly number[]) => number)(...list);
  }

  runWritten(call: WrittenCall): number {
    return this.runList(
      call.read(0),
      Array.from({ length: MOST_ARGUMENTS }, (_, i) => call.read(1 + i)),
    );
  }
}
