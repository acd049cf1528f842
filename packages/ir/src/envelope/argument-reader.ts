import type { IntegerList } from "../datatype/integer-list.js";
import { requireCount } from "../datatype/require-integer.js";
import { DatatypeError } from "../errors.js";
import { requireList } from "../datatype/integer-list.js";

/** Reads one list of a datatype's contents from front to back. */
export class ArgumentReader {
  readonly #name: string;
  readonly #list: IntegerList;
  #next = 0;

  constructor(name: string, list: IntegerList) {
    this.#name = name;
    this.#list = requireList(list, name, `${name} of contents`);
  }

  one(): number {
    return this.many(1)[0] as number;
  }

  /** A number that says how many entries of a list follow. */
  count(): number {
    const at = this.#next;
    return requireCount(this.one(), `${this.#name}[${at}]`, "count in contents");
  }

  many(count: number): IntegerList {
    const end = this.#next + count;
    if (end > this.#list.length) throw this.#lengthError(`at least ${end} entries`);
    const taken = this.#list.slice(this.#next, end);
    this.#next = end;
    return taken;
  }

  requireEnd(): void {
    if (this.#next !== this.#list.length) throw this.#lengthError(`${this.#next} entries`);
  }

  #lengthError(expected: string): DatatypeError {
    const subject = `${this.#name} of contents`;
    return new DatatypeError({ path: this.#name, subject, expected, got: String(this.#list.length) });
  }
}
