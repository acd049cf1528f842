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

/**
 * A call in memory, as machine code finds it. Cells are doubles, as JavaScript has numbers, and the code converts them:
 * each is an address, a handle or an int, all safe integers. A callee that takes an int reads the lower half of a
 * register.
 */
export class WrittenCall {
  /** An entry, and its arguments. */
  readonly cells = new Float64Array(new ArrayBuffer(8 * (RESULT + 1))); // a buffer of its own never moves
  readonly result = new Int32Array(this.cells.buffer, 8 * RESULT, 1);
  readonly address = addressOf(this.cells);
}

/** Whether this process can run machine code of ours. */
export const hasMachineCode = (): boolean => process.arch === "x64" && process.platform === "linux";

/** An argument of a call into C costs 12 ns, a store into memory 1: so functions without arguments find them there. */
export class MachineLauncher<Name extends string> implements Launcher<Name> {
  readonly #addressOf: (name: Name) => number;
  readonly #call = new WrittenCall();
  /** Holds the address of the call that was written already. */
  readonly #written = new Float64Array(new ArrayBuffer(8));
  readonly #launch: () => void;
  readonly #launchWritten: () => void;

  constructor(addressOfCall: (name: Name) => number) {
    this.#addressOf = addressOfCall;
    const prototype = koffi.proto("void stowage_mpi_launch()");
    const functionOf = (code: Uint8Array): (() => void) =>
      koffi.decode(BigInt(executable(code)), prototype) as () => void;
    this.#launch = functionOf(launchCode(this.#call.address, false));
    this.#launchWritten = functionOf(launchCode(addressOf(this.#written), true));
  }

  entryOf(name: Name): number {
    return this.#addressOf(name);
  }

  run(entry: number, a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number): number {
    const { cells, result } = this.#call;
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
    return result[0] as number;
  }

  runList(entry: number, list: readonly number[]): number {
    const { cells, result } = this.#call;
    cells[0] = entry;
    for (let i = 0; i < MOST_ARGUMENTS; i++) cells[1 + i] = i < list.length ? (list[i] as number) : 0;
    this.#launch();
    return result[0] as number;
  }

  runWritten({ address, result }: WrittenCall): number {
    this.#written[0] = address;
    this.#launchWritten();
    return result[0] as number;
  }
}

/** Makes the call that lies at an address, or the one whose address lies there. */
function launchCode(address: number, isAddress: boolean): Uint8Array {
  const asm = new Assembler();
  asm.emit(general.push_r64, [rbx]); // the stack is aligned to 16 bytes now, and stays so
  asm.emit(general.mov_r64_imm64, [rbx, BigInt(address)]);
  if (isAddress) asm.emit(sse.cvttsd2si, [rbx, mem(rbx)]);
  for (let i = MOST_ARGUMENTS; i > REGISTERS.length; i--) {
    asm.emit(sse.cvttsd2si, [rax, mem(rbx, 8 * i)]);
    asm.emit(general.push_r64, [rax]);
  }
  REGISTERS.forEach((register, i) => asm.emit(sse.cvttsd2si, [register, mem(rbx, 8 * (1 + i))]));
  asm.emit(sse.cvttsd2si, [rax, mem(rbx)]);
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

  runWritten({ cells: [entry = 0, ...args] }: WrittenCall): number {
    return this.runList(entry, args);
  }
}
