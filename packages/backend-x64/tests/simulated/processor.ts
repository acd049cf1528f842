import { general, type Assembler, type Line, type Operand, type Register } from "@stowage/asm-x64";
import type { SimulatedMemory } from "./memory.js";
import { stepVector } from "./vectors.js";

const MOST_STEPS = 20_000_000;
const unsigned = (value: bigint): bigint => BigInt.asUintN(64, value);
const signed = (value: bigint): bigint => BigInt.asIntN(64, value);
const WIDTHS: Readonly<Record<string, number>> = { r8: 1, r16: 2, r32: 4, r64: 8 };

/**
 * Runs what an Assembler wrote, instruction by instruction, as the Intel SDM says: so code for processors that a
 * test's own is not can be run, and every byte that it touches is checked. A masked move touches no byte that its
 * mask leaves out (SDM volume 1, section 15.6.1).
 */
export class SimulatedProcessor {
  readonly memory: SimulatedMemory;
  readonly registers = new BigUint64Array(16);
  readonly masks = new BigUint64Array(8);
  readonly vectors: readonly Uint8Array[] = Array.from({ length: 32 }, () => new Uint8Array(64));
  readonly #assembler: Assembler;
  readonly #codeAddress: number;
  readonly #lines: ReadonlyMap<number, Line>;
  // What the last comparison left: equal, below (unsigned), less (signed).
  #flags = { equal: false, below: false, less: false };
  #next = 0;

  constructor(memory: SimulatedMemory, assembler: Assembler, codeAddress: number) {
    this.memory = memory;
    this.#assembler = assembler;
    this.#codeAddress = codeAddress;
    this.#lines = new Map(assembler.lines().map((line) => [line.offset, line]));
  }

  /** Calls the code at byte 0 by the System V ABI, the stack growing down from `stack`. */
  call(args: readonly number[], stack: number): void {
    // What the caller left behind is not for the code to rely on.
    this.registers.fill(0xdead_beef_dead_beefn);
    this.masks.fill(0xa5a5_a5a5_a5a5_a5a5n);
    for (const vector of this.vectors) vector.fill(0xee);
    [7, 6, 2, 1, 8].forEach((number, i) => (this.registers[number] = BigInt(args[i] ?? 0)));
    this.registers[4] = BigInt(stack);
    const kept = [3, 5, 12, 13, 14, 15].map(
      (number) => [number, (this.registers[number] = 0xabcd0000n + BigInt(number))] as const,
    );
    this.#push(0n);
    this.#next = 0;
    for (let steps = 0; this.#next >= 0; steps++) {
      if (steps > MOST_STEPS) throw new RangeError(`instructions of a call: expected at most ${MOST_STEPS}, got more`);
      this.#step();
    }
    for (const [number, value] of kept) {
      if (this.registers[number] !== value)
        throw new RangeError(`register ${number}: expected to be kept by the callee, got another value`);
    }
    if (this.registers[4] !== BigInt(stack)) throw new RangeError("stack pointer: expected what it was, got another");
  }

  #step(): void {
    const line = this.#lines.get(this.#next);
    if (line === undefined)
      throw new RangeError(`instruction pointer: expected an instruction, got byte ${this.#next}`);
    this.#next = line.offset + line.length;
    if (!stepVector(this, line)) this.#stepGeneral(line);
  }

  /** Address of a memory operand. */
  addressOf(operand: Operand): number {
    return Number(this.#effective(operand));
  }

  #effective(operand: Operand | undefined): bigint {
    if (typeof operand === "object" && operand.kind === "memory") {
      const index =
        operand.index === undefined ? 0n : (this.registers[operand.index.number] as bigint) * BigInt(operand.scale);
      return unsigned((this.registers[operand.base.number] as bigint) + index + BigInt(operand.disp));
    }
    if (typeof operand === "object" && operand.kind === "rip")
      return BigInt(this.#codeAddress + this.#target(operand.label));
    throw new TypeError("operand: expected memory, got something else");
  }

  #target(operand: Operand | undefined): number {
    if (typeof operand !== "object" || operand.kind !== "label")
      throw new TypeError("operand: expected a label, got something else");
    const offset = this.#assembler.offsetOf(operand);
    if (offset === undefined) throw new TypeError(`label ${operand.id}: expected to be bound, got none`);
    return offset;
  }

  /** A label's place in the code, or the one that an address points to. */
  #destination(operand: Operand | undefined): number {
    if (typeof operand === "object" && operand.kind === "label") return this.#target(operand);
    return Number(this.#read(operand, 8)) - this.#codeAddress;
  }

  #read(operand: Operand | undefined, widthBytes: number): bigint {
    if (typeof operand === "number" || typeof operand === "bigint") return unsigned(BigInt(operand));
    if (typeof operand !== "object") throw new TypeError("operand: expected one, got none");
    if (operand.kind === "register") return BigInt.asUintN(8 * widthBytes, this.registers[operand.number] as bigint);
    return this.memory.readWord(this.addressOf(operand), widthBytes);
  }

  /** A 32-bit result clears the upper half of its register; shorter ones keep the rest. */
  #write(operand: Operand | undefined, widthBytes: number, value: bigint): void {
    if (typeof operand !== "object") throw new TypeError("operand: expected a place, got none");
    const bits = BigInt.asUintN(8 * widthBytes, value);
    if (operand.kind !== "register") return this.memory.writeWord(this.addressOf(operand), widthBytes, bits);
    const old = this.registers[operand.number] as bigint;
    this.registers[operand.number] = widthBytes >= 4 ? bits : old - BigInt.asUintN(8 * widthBytes, old) + bits;
  }

  #push(value: bigint): void {
    this.registers[4] = (this.registers[4] as bigint) - 8n;
    this.memory.writeWord(Number(this.registers[4]), 8, unsigned(value));
  }

  #pop(): bigint {
    const value = this.memory.readWord(Number(this.registers[4]), 8);
    this.registers[4] = (this.registers[4] as bigint) + 8n;
    return value;
  }

  #compare(a: bigint, b: bigint): void {
    this.#flags = { equal: a === b, below: a < b, less: signed(a) < signed(b) };
  }

  /** Flags of a result that is compared with zero; carry as a subtraction leaves it. */
  #result(operand: Operand | undefined, width: number, value: bigint): void {
    const bits = BigInt.asUintN(8 * width, value);
    this.#write(operand, width, bits);
    this.#flags = { equal: bits === 0n, below: value < 0n, less: BigInt.asIntN(8 * width, bits) < 0n };
  }

  #widthOf({ row, operands }: Line): number {
    const register = operands.find(
      (operand): operand is Register => typeof operand === "object" && operand.kind === "register",
    );
    return row.memoryBytes > 0 ? row.memoryBytes : (WIDTHS[register?.class ?? "r64"] ?? 8);
  }

  #stepGeneral(line: Line): void {
    const { row, operands } = line;
    const [a, b, c] = operands;
    const width = this.#widthOf(line);
    const condition = this.#conditions[row.mnemonic.replace(/^(j|cmov)/, "")];
    if (/^j[^m]/.test(row.mnemonic) && condition !== undefined) {
      if (condition()) this.#next = this.#target(a);
      return;
    }
    if (row.mnemonic.startsWith("cmov") && condition !== undefined) {
      const value = this.#read(b, 8);
      if (condition()) this.#write(a, 8, value);
      return;
    }
    switch (row.mnemonic) {
      case "mov":
      case "movabs":
        return this.#write(a, width, this.#read(b, width));
      case "movnti":
        return this.#write(a, width, this.#read(b, width));
      case "movzx":
        return this.#write(a, 4, this.#read(b, row.memoryBytes));
      case "movsxd":
        return this.#write(a, 8, BigInt.asIntN(32, this.#read(b, 4)));
      case "lea":
        return this.#write(a, 8, this.#effective(b));
      case "add": {
        const sum = this.#read(a, width) + this.#read(b, width);
        return this.#result(a, width, BigInt.asUintN(64, sum));
      }
      case "sub":
        return this.#result(a, width, this.#read(a, width) - this.#read(b, width));
      case "neg":
        return this.#result(a, width, -this.#read(a, width));
      case "dec":
        return this.#result(a, width, unsigned(this.#read(a, width) - 1n));
      case "inc":
        return this.#result(a, width, this.#read(a, width) + 1n);
      case "and":
        return this.#result(a, width, this.#read(a, width) & this.#read(b, width));
      case "or":
        return this.#result(a, width, this.#read(a, width) | this.#read(b, width));
      case "xor":
        return this.#result(a, width, this.#read(a, width) ^ this.#read(b, width));
      case "shl":
        return this.#result(a, width, unsigned(this.#read(a, width) << this.#read(b, 1)));
      case "shr":
        return this.#result(a, width, this.#read(a, width) >> this.#read(b, 1));
      case "sar":
        return this.#result(a, width, unsigned(signed(this.#read(a, width)) >> this.#read(b, 1)));
      case "imul":
        return this.#result(
          a,
          width,
          unsigned(
            c === undefined ? this.#read(a, width) * this.#read(b, width) : this.#read(b, width) * this.#read(c, width),
          ),
        );
      case "div": {
        const divisor = this.#read(a, 8);
        const dividend = ((this.registers[2] as bigint) << 64n) | (this.registers[0] as bigint);
        this.registers[0] = dividend / divisor;
        this.registers[2] = dividend % divisor;
        return;
      }
      case "cmp":
        return this.#compare(this.#read(a, width), this.#read(b, width));
      case "test":
        return this.#compare(this.#read(a, width) & this.#read(b, width), 0n);
      case "bzhi": {
        const keep = this.#read(c, 8) & 255n;
        const value = this.#read(b, 8);
        return this.#result(a, 8, keep >= 64n ? value : BigInt.asUintN(Number(keep), value));
      }
      case "push":
        return this.#push(row === general.push_imm32 ? BigInt.asIntN(32, this.#read(a, 8)) : this.#read(a, 8));
      case "pop":
        return this.#write(a, 8, this.#pop());
      case "call":
        this.#push(BigInt(this.#next));
        this.#next = this.#destination(a);
        return;
      case "jmp":
        this.#next = this.#destination(a);
        return;
      case "ret":
        this.#next = Number(this.#pop());
        // The call's own return address.
        if (this.#next === 0) this.#next = -1;
        return;
      case "rep movsb":
        for (; this.registers[1] !== 0n; this.registers[1] = (this.registers[1] as bigint) - 1n) {
          this.memory.write(Number(this.registers[7]), this.memory.read(Number(this.registers[6])));
          this.registers[7] = (this.registers[7] as bigint) + 1n;
          this.registers[6] = (this.registers[6] as bigint) + 1n;
        }
        return;
      case "prefetcht0":
      case "prefetchw":
      case "sfence":
      case "lfence":
        return;
      default:
        throw new TypeError(`simulated processor: expected an instruction that it knows, got ${row.form}`);
    }
  }

  readonly #conditions: Readonly<Record<string, () => boolean>> = {
    e: () => this.#flags.equal,
    ne: () => !this.#flags.equal,
    b: () => this.#flags.below,
    ae: () => !this.#flags.below,
    be: () => this.#flags.below || this.#flags.equal,
    a: () => !this.#flags.below && !this.#flags.equal,
    l: () => this.#flags.less,
    ge: () => !this.#flags.less,
    le: () => this.#flags.less || this.#flags.equal,
    g: () => !this.#flags.less && !this.#flags.equal,
  };
}
