import { isAddressSpace, type Binding, type BoundTables, type Memory, type Span } from "@stowage/backend-api";

/** Kernels choose their words by addresses modulo this. */
const WIDEST_WORD_BYTES = 16;
/** Numbers kept of each move. */
const FIELDS = 7;
const [SOURCE, TARGET, COUNT, FIRST, LENGTH, SOURCE_ORIGIN, TARGET_ORIGIN] = [0, 1, 2, 3, 4, 5, 6] as const;

/** The address of a span's datatype address 0; NaN in an address space, which has no one address. */
export const originAddress = ({ memory, originBytes }: Span): number =>
  isAddressSpace(memory) ? NaN : (memory.address ?? 0) + originBytes;

/** Whether one integer is a multiple of another: a remainder of doubles would be a call of the C library. */
const isMultiple = (bytes: number, ofBytes: number): boolean => Math.floor(bytes / ofBytes) * ofBytes === bytes;

/** What a plan's moves are bound to, as numbers side by side: the callers' records may be used again. */
export class BoundMoves {
  readonly #numbers: Float64Array;
  readonly #sources: Memory[];
  readonly #targets: Memory[];
  readonly #tables: (BoundTables | undefined)[];

  constructor(bindings: readonly Binding[]) {
    this.#tables = bindings.map(() => undefined);
    this.#numbers = new Float64Array(bindings.length * FIELDS);
    this.#sources = bindings.map(({ source }) => source.memory);
    this.#targets = bindings.map(({ target }) => target.memory);
    bindings.forEach((binding, i) => this.set(i, binding, 1));
  }

  source(i: number): number {
    return this.#numbers[i * FIELDS + SOURCE] as number;
  }

  target(i: number): number {
    return this.#numbers[i * FIELDS + TARGET] as number;
  }

  /** Takes a binding; whether nothing but addresses changed, and those by multiples of `congruentBytes`. */
  set(i: number, { source, target, count, first, length, tables }: Binding, congruentBytes: number): boolean {
    const numbers = this.#numbers;
    const at = i * FIELDS;
    const from = originAddress(source);
    const to = originAddress(target);
    const isSame =
      tables === undefined &&
      isMultiple((numbers[at + SOURCE] as number) - from, congruentBytes) &&
      isMultiple((numbers[at + TARGET] as number) - to, congruentBytes) &&
      numbers[at + COUNT] === count &&
      numbers[at + FIRST] === first &&
      numbers[at + LENGTH] === length;
    this.#sources[i] = source.memory;
    this.#targets[i] = target.memory;
    this.#tables[i] = tables === undefined ? undefined : { ...tables };
    numbers[at + SOURCE] = from;
    numbers[at + TARGET] = to;
    numbers[at + COUNT] = count;
    numbers[at + FIRST] = first;
    numbers[at + LENGTH] = length;
    numbers[at + SOURCE_ORIGIN] = source.originBytes;
    numbers[at + TARGET_ORIGIN] = target.originBytes;
    return isSame;
  }

  bindings(): readonly Binding[] {
    return this.#sources.map((memory, i) => {
      const [, , count = 0, first = 0, length = 0, ofSource = 0, ofTarget = 0] = this.#of(i);
      const source = { memory, originBytes: ofSource };
      const target = { memory: this.#targets[i] as Memory, originBytes: ofTarget };
      const tables = this.#tables[i];
      return { source, target, count, first, length, ...(tables === undefined ? {} : { tables }) };
    });
  }

  /** Names what work depends on besides the addresses; undefined where an address space, or a table, takes part. */
  key(): string | undefined {
    if (this.#tables.some((tables) => tables !== undefined)) return undefined;
    let key = "";
    for (let at = 0; at < this.#numbers.length; at += FIELDS) {
      const source = this.#place(at + SOURCE);
      const target = this.#place(at + TARGET);
      if (Number.isNaN(source + target)) return undefined;
      key += `${source} ${target} ${this.#numbers[at + COUNT]} ${this.#numbers[at + FIRST]} ${this.#numbers[at + LENGTH]},`;
    }
    return key;
  }

  #place(field: number): number {
    return (this.#numbers[field] as number) % WIDEST_WORD_BYTES;
  }

  #of(i: number): Float64Array {
    return this.#numbers.subarray(i * FIELDS, (i + 1) * FIELDS);
  }
}
