import { integerTable, quoted, type IntegerTable } from "@stowage/ir";
import { DameError } from "./dame-error.js";
import { Grammar } from "./grammar.js";
import { kindOf, PARAMETERS, type Parameter, type ParameterValue } from "./parameters.js";
import type { Primitive } from "./primitive.js";
import { dameProgram, type DameProgram } from "./program.js";
import { positionText, Scanner, type Position } from "./scanner.js";
import { verifyDame } from "./verify-dame.js";

/**
 * Reads the program that a DAME text describes (Prabhu and Gropp 2017, Figure 5), and verifies it. RETURNTO names its
 * STRUCT by the line on which that stands. A STRUCT may end with the lines of its members' RETURNTOs; without them its
 * own subprograms belong to the members in turn, or a single one to all of them. Throws a DameError that names line and
 * column, what was expected and what was found.
 *
 * @example
 * ```ts
 * const program = compileDame(layout(0, stream(4, 40, dense(8)), { lowerBoundBytes: 0, extentBytes: 160 }));
 * printDame(parseDame(printDame(program))) === printDame(program); // true
 * ```
 */
export function parseDame(text: string): DameProgram {
  if (typeof text !== "string") throw new DameError("DAME text", "a string", quoted(text));
  const scanner = new Scanner(text);
  const grammar = new Grammar();
  const lines = new Lines();
  while (!scanner.atEnd) {
    const position = scanner.position;
    const primitive = readPrimitive(scanner, lines);
    if (!grammar.take(primitive)) {
      throw new DameError(positionText(position), expectedBy(grammar, lines), nameOf(primitive, lines));
    }
    lines.add(primitive, position);
  }
  if (!grammar.complete) scanner.fail(expectedBy(grammar, lines));
  const program = dameProgram(lines.resolve());
  verifyDame(program, (index) => positionText(lines.positions[index] as Position));
  return program;
}

function readPrimitive(scanner: Scanner, lines: Lines): Primitive {
  const position = scanner.position;
  const word = scanner.word("the name of a primitive");
  const kind = kindOf(word);
  if (kind === undefined) throw new DameError(positionText(position), "the name of a primitive", word);
  const values: Record<string, ParameterValue> = {};
  const parameters = PARAMETERS[kind];
  if (parameters.length > 0) {
    scanner.expect("(");
    parameters.forEach((parameter, i) => {
      if (parameter.optional && !scanner.accept(",")) return;
      if (!parameter.optional && i > 0) scanner.expect(",");
      values[parameter.name] = readParameter(scanner, parameter, lines);
    });
    scanner.expect(")");
  }
  // The parameters of each kind are exactly the fields of its type: PARAMETERS is their one table.
  return { kind, ...values } as Primitive;
}

function readParameter(scanner: Scanner, { name, form }: Parameter, lines: Lines): ParameterValue {
  switch (form) {
    case "integer":
      return scanner.integer(`${name}, an integer`);
    case "line":
      return lines.structAt(scanner.integer("the line of a STRUCT"));
    case "table":
    case "lines":
      return readTable(scanner, name);
  }
}

function readTable(scanner: Scanner, name: string): IntegerTable {
  if (!scanner.accept("[")) scanner.fail(`${name}, a list in brackets`);
  const values: number[] = [];
  while (!scanner.accept("]")) {
    if (values.length > 0) scanner.expect(",");
    values.push(scanner.integer(`an integer of ${name}`));
  }
  return integerTable(values.length, (i) => values[i] as number);
}

function expectedBy(grammar: Grammar, lines: Lines): string {
  if (grammar.struct === undefined) return grammar.expected;
  return `RETURNTO(${lines.lineOf(grammar.struct)}) or BOTTOM`;
}

const nameOf = (primitive: Primitive, lines: Lines): string =>
  primitive.kind === "RETURNTO" ? `RETURNTO of ${lines.structName(primitive.struct)}` : primitive.kind;

/** The primitives read so far and where each stands; turns lines of the text into indices of the program. */
class Lines {
  readonly positions: Position[] = [];
  readonly #primitives: Primitive[] = [];
  readonly #structs = new Map<number, number>();
  readonly #subprograms = new Map<number, number>();
  readonly #own = new Map<number, number[]>();

  add(primitive: Primitive, position: Position): void {
    const index = this.#primitives.push(primitive) - 1;
    this.positions.push(position);
    if (primitive.kind === "STRUCT") {
      this.#structs.set(position.line, index);
      this.#own.set(index, []);
    }
    if (primitive.kind === "RETURNTO") {
      this.#subprograms.set(position.line, index);
      this.#own.get(primitive.struct)?.push(index);
    }
  }

  /** The STRUCT on a line; -1, which the grammar refuses, where there is none. */
  structAt(line: number): number {
    return this.#structs.get(line) ?? -1;
  }

  lineOf(index: number): number {
    return (this.positions[index] as Position).line;
  }

  structName(struct: number): string {
    return struct === -1 ? "a line without a STRUCT" : `line ${this.lineOf(struct)}`;
  }

  resolve(): Primitive[] {
    return this.#primitives.map((primitive, index) => {
      if (primitive.kind !== "STRUCT") return primitive;
      const { count, sizesBytes } = primitive;
      // The text may leave the lines out, so the field may be missing here.
      const written: IntegerTable | undefined = primitive.subprograms;
      const subprograms = written ? this.#named(written, index) : this.#inTurn(count, sizesBytes.length, index);
      return { ...primitive, subprograms };
    });
  }

  #named(lines: IntegerTable, struct: number): IntegerTable {
    return integerTable(lines.length, (i) => {
      const index = this.#subprograms.get(lines[i] as number);
      return index ?? this.#fail(struct, "the lines of RETURNTOs", `line ${lines[i]}, on which there is none`);
    });
  }

  #inTurn(count: number, sizes: number, struct: number): IntegerTable {
    const own = this.#own.get(struct) ?? [];
    if (own.length !== Math.min(count, sizes)) {
      this.#fail(struct, `${Math.min(count, sizes)} subprograms under STRUCT`, String(own.length));
    }
    return integerTable(count, (i) => own[own.length === 1 ? 0 : i] ?? -1);
  }

  #fail(index: number, expected: string, got: string): never {
    throw new DameError(positionText(this.positions[index] as Position), expected, got);
  }
}
