import { Assembler, general, mem, r8, r9, rax, rbx, rcx, rdi, rdx, rsi, rsp } from "@stowage/asm-x64";
import koffi from "koffi";
import { executable } from "./executable.js";

/** Registers of the first integer arguments; the seventh lies on the stack. System V x86-64 ABI, section 3.2.3. */
const ARGUMENT_REGISTERS = [rdi, rsi, rdx, rcx, r8, r9] as const;
const MOST_ARGUMENTS = ARGUMENT_REGISTERS.length + 1;
/** A call in memory: the function, its arguments, then room for its result. */
const RESULT_WORD = 1 + MOST_ARGUMENTS;

/**
 * A C function with its arguments, ready to be called any number of times. JavaScript passes an argument in 12 ns and
 * calls without any in 13: so that peers pay as little for being called as our own kernels do, their arguments wait in
 * memory, and one function of machine code, which takes none, loads them.
 */
export class NativeCall {
  /** The memory that the arguments point into. It must live as long as the call may be made; this object holds it. */
  readonly memories: readonly ArrayBufferView[];
  readonly #launch = (launch ??= prepareLaunch());
  readonly #words = new BigInt64Array(new ArrayBuffer(8 * (RESULT_WORD + 1))); // a buffer of its own never moves
  readonly #result = new Int32Array(this.#words.buffer, 8 * RESULT_WORD, 1);
  readonly #address = koffi.address(this.#words);

  /**
   * Takes the function's address, and its arguments as integers or addresses. Throws a RangeError for more than seven
   * arguments, and an Error where machine code cannot run.
   */
  constructor(address: number, args: readonly number[], memories: readonly ArrayBufferView[]) {
    if (args.length > MOST_ARGUMENTS) {
      throw new RangeError(`arguments of a native call: expected at most ${MOST_ARGUMENTS}, got ${args.length}`);
    }
    this.memories = memories;
    [address, ...args].forEach((word, i) => (this.#words[i] = BigInt(word)));
  }

  /** Calls the function; returns its result as C's int. */
  run(): number {
    this.#launch.mailbox[0] = this.#address;
    this.#launch.run();
    return this.#result[0] as number;
  }
}

/** Whether this process can make such calls: on x86-64 under Linux. */
export const hasNativeCalls = (): boolean => process.arch === "x64" && process.platform === "linux";

interface Launch {
  /** Where the machine code finds the address of the call. */
  readonly mailbox: BigInt64Array;
  readonly run: () => void;
}

let launch: Launch | undefined;

function prepareLaunch(): Launch {
  const mailbox = new BigInt64Array(new ArrayBuffer(8));
  const address = executable(launchCode(koffi.address(mailbox)));
  const run = koffi.decode(BigInt(address), koffi.proto("void stowage_peer_launch()")) as () => void;
  return { mailbox, run };
}

function launchCode(mailbox: bigint): Uint8Array {
  const asm = new Assembler();
  const word = (i: number) => mem(rbx, 8 * i);
  asm.emit(general.push_r64, [rbx]);
  asm.emit(general.mov_r64_imm64, [rbx, mailbox]);
  asm.emit(general.mov_r64_rm64, [rbx, mem(rbx)]);
  ARGUMENT_REGISTERS.forEach((register, i) => asm.emit(general.mov_r64_rm64, [register, word(1 + i)]));
  asm.emit(general.push_r64, [rbx]); // with the seventh argument, the stack is aligned to 16 bytes at the call
  asm.emit(general.push_m64, [word(MOST_ARGUMENTS)]);
  asm.emit(general.call_rm64, [word(0)]);
  asm.emit(general.add_rm64_imm8, [rsp, 16]);
  asm.emit(general.mov_rm64_r64, [word(RESULT_WORD), rax]);
  asm.emit(general.pop_r64, [rbx]);
  asm.emit(general.ret);
  return asm.finish();
}
