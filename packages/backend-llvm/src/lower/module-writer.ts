import type { IntegerTable } from "@stowage/ir";
import type { Processor } from "../target.js";
import { copyBytes, type Run } from "./copy.js";
import { FunctionWriter, LOOP_METADATA, type Value } from "./function-writer.js";

export type Body = (f: FunctionWriter) => void;

/** A table of constants: how an entry is loaded. */
export type Entry = (f: FunctionWriter, i: Value) => Value;

/** Index of the last entry that is not above %x, of %n entries in ascending order. */
const SEARCH = (bits: 32 | 64): string => `define internal fastcc i64 @search${bits}(ptr %table, i64 %n, i64 %x) #0 {
entry:
  br label %test
test:
  %base = phi i64 [ 0, %entry ], [ %next, %step ]
  %left = phi i64 [ %n, %entry ], [ %rest, %step ]
  %many = icmp ugt i64 %left, 1
  br i1 %many, label %step, label %done
step:
  %half = lshr i64 %left, 1
  %rest = sub i64 %left, %half
  %middle = add i64 %base, %half
  %address = getelementptr i${bits}, ptr %table, i64 %middle
  %loaded = load i${bits}, ptr %address
  %entry64 = ${bits === 64 ? "add i64 %loaded, 0" : "sext i32 %loaded to i64"}
  %above = icmp sgt i64 %entry64, %x
  %next = select i1 %above, i64 %base, i64 %middle
  br label %test
done:
  ret i64 %base
}`;

/** One module of LLVM IR as it grows. Functions of nodes are written once each, after what calls them. */
export class ModuleWriter {
  readonly processor: Processor;
  readonly #globals = new Set<string>();
  readonly #functions: string[] = [];
  readonly #pending: (() => void)[] = [];
  #numbers = 0;
  #copies = false;

  constructor(processor: Processor) {
    this.processor = processor;
  }

  /** A function under a head such as `define void @f(ptr %a)`. */
  define(head: string, body: Body): void {
    const f = new FunctionWriter(`${head} #0`);
    body(f);
    this.#functions.push(f.text());
  }

  /** A line outside of functions: a declaration or a constant. */
  declare(line: string): void {
    this.#globals.add(line);
  }

  /** The name of a new function of a node or of a range of its children, which `body` writes later. */
  declareNode(kind: string, body: Body): string {
    const name = `@${kind}${this.#numbers++}`;
    const parameters = "ptr noalias %scattered, ptr noalias %packed, i64 %from, i64 %to";
    this.#pending.push(() => this.define(`define internal fastcc void ${name}(${parameters})`, body));
    return name;
  }

  /** Copies a run of a length known when it runs. */
  copy(f: FunctionWriter, { from, to }: Run, bytes: Value): void {
    if (!this.#copies) {
      this.#copies = true;
      const head = "define internal fastcc void @copy(ptr noalias %from, ptr noalias %to, i64 %n)";
      this.#pending.push(() => this.define(head, (body) => copyBytes(body, this.processor)));
    }
    f.do(`call fastcc void @copy(ptr ${from}, ptr ${to}, i64 ${bytes})`);
  }

  /** Constants of the narrowest integers that hold them. */
  table(entries: IntegerTable): { readonly entry: Entry; readonly search: Entry } {
    const bits = isNarrow(entries) ? 32 : 64;
    const texts = Array.from(entries, (entry) => `i${bits} ${entry}`);
    const name = `@table${this.#numbers++}`;
    this.declare(
      `${name} = internal unnamed_addr constant [${texts.length} x i${bits}] [${texts.join(", ")}], align 64`,
    );
    return {
      entry: (f, i) => {
        const address = f.value(`getelementptr i${bits}, ptr ${name}, i64 ${i}`);
        const loaded = f.value(`load i${bits}, ptr ${address}, align ${bits / 8}`);
        return bits === 64 ? loaded : f.value(`sext i32 ${loaded} to i64`);
      },
      search: (f, x) => {
        this.declare(SEARCH(bits));
        return f.value(`call fastcc i64 @search${bits}(ptr ${name}, i64 ${texts.length}, i64 ${x})`);
      },
    };
  }

  text(): string {
    for (let write = this.#pending.shift(); write !== undefined; write = this.#pending.shift()) write();
    const bits = 8 * this.processor.vectorBytes;
    const vectors = this.processor.isX86 ? ` "prefer-vector-width"="${bits}" "min-legal-vector-width"="${bits}"` : "";
    const attributes = `attributes #0 = { nounwind "no-builtins"${vectors} }`;
    return [...this.#globals, ...this.#functions, attributes, LOOP_METADATA, ""].join("\n\n");
  }
}

function isNarrow(entries: IntegerTable): boolean {
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] as number;
    if (entry < -(2 ** 31) || entry >= 2 ** 31) return false;
  }
  return true;
}
