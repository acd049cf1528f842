import { Assembler, general, mem, r8, r9, rax, rbx, rcx, rdi, rdx, rsi, rsp, sse } from "@stowage/asm-x64";
import koffi from "koffi";
import { executable } from "./executable.js";
import { addressOf } from "./words.js";

/**
 * Calls of up to 8 integer arguments, or of 9, each made many times. An entry is what `entryOf` gave for a function.
 */
export interface Launcher<Name> {
  entryOf(name: Name): number;
  run(entry: number, a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number): number;
  runLong(
    entry: number,
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
    h: number,
    i: number,
  ): number;
}

/** The System V x86-64 ABI, section 3.2.3: the seventh integer argument and those after it lie on the stack. */
const REGISTERS = [rdi, rsi, rdx, rcx, r8, r9] as const;
/** An even number keeps the stack aligned to 16 bytes. */
const STACK_ARGUMENTS = { short: 2, long: 4 };
/** A call in memory: the function, its arguments, then its result. */
const RESULT = 1 + REGISTERS.length + STACK_ARGUMENTS.long;

/** Whether this process can run machine code of ours. */
export const hasMachineCode = (): boolean => process.arch === "x64" && process.platform === "linux";

/**
 * An argument of a call into C costs 12 ns, a store into memory 1: so one function without arguments finds the callee
 * and its arguments in a mailbox. They are doubles, as JavaScript has them, and the code converts them: each is an
 * address, a handle or an int, all safe integers. A callee that takes an int reads the lower half of a register.
 */
export class MachineLauncher<Name extends string> implements Launcher<Name> {
  readonly #addressOf: (name: Name) => number;
  readonly #mailbox = new Float64Array(new ArrayBuffer(8 * (RESULT + 1))); // a buffer of its own never moves
  readonly #result = new Int32Array(this.#mailbox.buffer, 8 * RESULT, 1);
  readonly #launch: () => void;
  readonly #launchLong: () => void;

  constructor(addressOfCall: (name: Name) => number) {
    this.#addressOf = addressOfCall;
    const prototype = koffi.proto("void stowage_mpi_launch()");
    const [short, long] = [STACK_ARGUMENTS.short, STACK_ARGUMENTS.long].map((stackArguments) => {
      const code = launchCode(BigInt(addressOf(this.#mailbox)), stackArguments);
      return koffi.decode(BigInt(executable(code)), prototype) as () => void;
    }) as [() => void, () => void];
    [this.#launch, this.#launchLong] = [short, long];
  }

  entryOf(name: Name): number {
    return this.#addressOf(name);
  }

  run(entry: number, a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number): number {
    const mailbox = this.#mailbox;
    mailbox[0] = entry;
    mailbox[1] = a;
    mailbox[2] = b;
    mailbox[3] = c;
    mailbox[4] = d;
    mailbox[5] = e;
    mailbox[6] = f;
    mailbox[7] = g;
    mailbox[8] = h;
    this.#launch();
    return this.#result[0] as number;
  }

  runLong(
    entry: number,
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
    h: number,
    i: number,
  ): number {
    const mailbox = this.#mailbox;
    mailbox[0] = entry;
    mailbox[1] = a;
    mailbox[2] = b;
    mailbox[3] = c;
    mailbox[4] = d;
    mailbox[5] = e;
    mailbox[6] = f;
    mailbox[7] = g;
    mailbox[8] = h;
    mailbox[9] = i;
    this.#launchLong();
    return this.#result[0] as number;
  }
}

function launchCode(mailbox: bigint, stackArguments: number): Uint8Array {
  const asm = new Assembler();
  asm.emit(general.push_r64, [rbx]); // the stack is aligned to 16 bytes now, and stays so
  asm.emit(general.mov_r64_imm64, [rbx, mailbox]);
  for (let i = REGISTERS.length + stackArguments; i > REGISTERS.length; i--) {
    asm.emit(sse.cvttsd2si, [rax, mem(rbx, 8 * i)]);
    asm.emit(general.push_r64, [rax]);
  }
  REGISTERS.forEach((register, i) => asm.emit(sse.cvttsd2si, [register, mem(rbx, 8 * (1 + i))]));
  asm.emit(sse.cvttsd2si, [rax, mem(rbx)]);
  asm.emit(general.call_rm64, [rax]);
  asm.emit(general.add_rm64_imm8, [rsp, 8 * stackArguments]);
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
    const call = this.#bound[entry] as (...args: number[]) => number;
    return call(...args);
  }

  runLong(entry: number, ...args: number[]): number {
    return this.run(entry, ...args);
  }
}
