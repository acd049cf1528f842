/** A number that is known now, or the name of a value of LLVM's. */
export type Value = number | string;

/** Nothing is left for LLVM to guess about loops that are written out as they are to be. */
const LOOP = "!llvm.loop !0";

/** The text of one function, block by block; every number in it is an i64 and every pointer counts bytes. */
export class FunctionWriter {
  readonly #lines: string[] = [];
  #names = 0;
  #block = "entry";

  readonly #head: string;

  /** `head`: what stands before the body, such as `define internal void @f(ptr %s)`. */
  constructor(head: string) {
    this.#head = head;
  }

  text(): string {
    return [`${this.#head} {`, "entry:", ...this.#lines, "}"].join("\n");
  }

  /** A value of an expression. */
  value(expression: string): string {
    const name = `%v${this.#names++}`;
    this.do(`${name} = ${expression}`);
    return name;
  }

  do(line: string): void {
    this.#lines.push(`  ${line}`);
  }

  add(a: Value, b: Value): Value {
    if (typeof a === "number" && typeof b === "number") return a + b;
    return a === 0 ? b : b === 0 ? a : this.value(`add nsw i64 ${a}, ${b}`);
  }

  subtract(a: Value, b: Value): Value {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return b === 0 ? a : this.value(`sub nsw i64 ${a}, ${b}`);
  }

  multiply(a: Value, factor: number): Value {
    if (typeof a === "number") return a * factor;
    return factor === 1 ? a : this.value(`mul nsw i64 ${a}, ${factor}`);
  }

  /** The pointer so many bytes on. */
  at(pointer: string, bytes: Value): string {
    return bytes === 0 ? pointer : this.value(`getelementptr i8, ptr ${pointer}, i64 ${bytes}`);
  }

  /** Whether a comparison holds, as a value. */
  compare(relation: "eq" | "ne" | "slt" | "sge" | "ult", a: Value, b: Value): string {
    return this.value(`icmp ${relation} i64 ${a}, ${b}`);
  }

  lesser(a: Value, b: Value): string {
    return this.value(`select i1 ${this.compare("slt", a, b)}, i64 ${a}, i64 ${b}`);
  }

  /** What is written by `then` runs where the condition holds. */
  when(condition: string, then: () => void): void {
    const [inside, after] = [this.#label(), this.#label()];
    this.do(`br i1 ${condition}, label %${inside}, label %${after}`);
    this.#begin(inside);
    then();
    this.do(`br label %${after}`);
    this.#begin(after);
  }

  /** Returns where the condition holds, after what is written by `then`. */
  returnWhen(condition: string, then: () => void = () => undefined): void {
    const [leave, after] = [this.#label(), this.#label()];
    this.do(`br i1 ${condition}, label %${leave}, label %${after}`);
    this.#begin(leave);
    then();
    this.do("ret void");
    this.#begin(after);
  }

  /**
   * The body for i = from, from + step, ... while a whole step is left before `to`; what i is then. A loop of known
   * length that has one round, or whose rounds `isWrittenOut` accepts, has no branch.
   */
  loop(
    from: Value,
    to: Value,
    step: number,
    body: (i: Value) => void,
    isWrittenOut: (rounds: number) => boolean = () => false,
  ): Value {
    if (typeof from !== "number" || typeof to !== "number") return this.#countedLoop(from, to, step, body);
    const rounds = Math.max(0, Math.floor((to - from) / step));
    if (rounds > 1 && !isWrittenOut(rounds)) this.#countedLoop(from, to, step, body);
    else for (let round = 0; round < rounds; round++) body(from + round * step);
    return from + rounds * step;
  }

  #countedLoop(from: Value, to: Value, step: number, body: (i: Value) => void): Value {
    const [before, top, after] = [this.#block, this.#label(), this.#label()];
    const [i, next, end] = [`%v${this.#names++}`, `%v${this.#names++}`, `%v${this.#names++}`];
    const limit = this.subtract(to, step - 1);
    this.do(`br i1 ${this.compare("slt", from, limit)}, label %${top}, label %${after}`);
    this.#begin(top);
    const phi = this.#lines.push("") - 1;
    body(i);
    const steps = (latch: string): string => `[ ${from}, %${before} ], [ ${next}, %${latch} ]`;
    this.do(`${next} = add nsw i64 ${i}, ${step}`);
    this.do(`br i1 ${this.compare("slt", next, limit)}, label %${top}, label %${after}, ${LOOP}`);
    this.#lines[phi] = `  ${i} = phi i64 ${steps(this.#block)}`;
    const latch = this.#block;
    this.#begin(after);
    this.do(`${end} = phi i64 ${steps(latch)}`);
    return end;
  }

  #label(): string {
    return `b${this.#names++}`;
  }

  #begin(label: string): void {
    this.#block = label;
    this.#lines.push(`${label}:`);
  }
}

/** What the metadata of loops refers to: they are unrolled and vectorised already. */
export const LOOP_METADATA = `!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.vectorize.enable", i1 false}
!2 = !{!"llvm.loop.unroll.disable"}`;
