import { signed, unsigned } from "./leb128.js";
import { EMPTY_BLOCK, MEMORY_OP, OP, VALUE_TYPE, type MemoryOpName, type OpName, type ValueType } from "./opcodes.js";

export interface FunctionType {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
}

/** The body of one WebAssembly function as it grows; parameters are locals 0, 1, ... */
export class FunctionCode {
  readonly type: FunctionType;
  readonly #locals: ValueType[] = [];
  readonly #bytes: number[] = [];

  constructor(type: FunctionType) {
    this.type = type;
  }

  local(type: ValueType): number {
    this.#locals.push(type);
    return this.type.parameters.length + this.#locals.length - 1;
  }

  op(...names: readonly OpName[]): this {
    for (const name of names) this.#bytes.push(OP[name]);
    return this;
  }

  get(local: number): this {
    return this.#index(0x20, local);
  }
  set(local: number): this {
    return this.#index(0x21, local);
  }
  tee(local: number): this {
    return this.#index(0x22, local);
  }
  getGlobal(index: number): this {
    return this.#index(0x23, index);
  }
  setGlobal(index: number): this {
    return this.#index(0x24, index);
  }
  call(index: number): this {
    return this.#index(0x10, index);
  }

  i32(value: number): this {
    this.#bytes.push(0x41, ...signed(BigInt(value | 0)));
    return this;
  }
  i64(value: bigint): this {
    this.#bytes.push(0x42, ...signed(BigInt.asIntN(64, value)));
    return this;
  }

  memory(name: MemoryOpName, offset: number): this {
    this.#bytes.push(MEMORY_OP[name], 0, ...unsigned(offset));
    return this;
  }

  /** Fills [address, address + length), all three taken from the stack: address, byte, length. */
  fill(): this {
    this.#bytes.push(0xfc, 11, 0);
    return this;
  }

  if(then: () => void, otherwise?: () => void): this {
    this.#bytes.push(OP.if, EMPTY_BLOCK);
    then();
    if (otherwise !== undefined) {
      this.#bytes.push(OP.else);
      otherwise();
    }
    return this.op("end");
  }

  /** Repeats while `body` leaves a non-zero i32. */
  doWhile(body: () => void): this {
    this.#bytes.push(OP.loop, EMPTY_BLOCK);
    body();
    this.#bytes.push(OP.brIf, 0);
    return this.op("end");
  }

  /** Repeats `body` as long as `condition` leaves a non-zero i32. */
  while(condition: () => void, body: () => void): this {
    this.#bytes.push(OP.block, EMPTY_BLOCK, OP.loop, EMPTY_BLOCK);
    condition();
    this.#bytes.push(OP.i32Eqz, OP.brIf, 1);
    body();
    this.#bytes.push(OP.br, 0, OP.end);
    return this.op("end");
  }

  /** As the code section holds it: size, locals, instructions. */
  encode(): number[] {
    const locals = this.#locals.flatMap((type) => [1, VALUE_TYPE[type]]);
    const head = [...unsigned(this.#locals.length), ...locals];
    const size = unsigned(head.length + this.#bytes.length + 1);
    return size.concat(head, this.#bytes, [OP.end]);
  }

  #index(opcode: number, index: number): this {
    this.#bytes.push(opcode, ...unsigned(index));
    return this;
  }
}
