import { isPredefinedName, predefined, predefinedFacts, type Datatype } from "@stowage/ir";
import { CodeError } from "./code-error.js";
import { CONSTANTS } from "./constructors.js";
import type { Grammar } from "./grammar.js";
import type { Token } from "./tokens.js";

/** What an expression of these programs can be. A name that is not known yet is what a call writes its datatype to. */
export type Value =
  | { readonly kind: "integer"; readonly value: number }
  | { readonly kind: "constant"; readonly value: string | null }
  | { readonly kind: "list"; readonly entries: Value[] }
  | { readonly kind: "type"; readonly type: Datatype }
  | { readonly kind: "name"; readonly name: string; readonly index?: number };

/** Bytes of C's and Fortran's own types that sizeof may name. */
const SIZES: Readonly<Record<string, number>> = {
  char: 1,
  short: 2,
  int: 4,
  unsigned: 4,
  long: 8,
  float: 4,
  double: 8,
  size_t: 8,
  MPI_Aint: 8,
};

/** Names that only say of which type a number is: int(8, MPI_ADDRESS_KIND). */
const CASTS = /^(?:int|long|MPI_Aint|np\.\w+)$/i;

/** Nobody nests so many, and a page has stack for them. */
const MOST_DEPTH = 500;

/** Reads the expressions of a program: integers, names, lists, datatypes. */
export class Evaluator {
  readonly text: string;
  readonly grammar: Grammar;
  readonly variables = new Map<string, Value>();
  readonly #tokens: readonly Token[];
  at = 0;
  #depth = 0;

  constructor(text: string, grammar: Grammar, tokens: readonly Token[]) {
    this.text = text;
    this.grammar = grammar;
    this.#tokens = tokens;
  }

  get token(): Token {
    const { length } = this.text;
    return this.peek(0) ?? { kind: "end", text: "the end", from: Math.max(0, length - 1), to: length };
  }

  get atEnd(): boolean {
    return this.at >= this.#tokens.length;
  }

  peek(ahead: number): Token | undefined {
    return this.#tokens[this.at + ahead];
  }

  is(text: string): boolean {
    return this.peek(0)?.text === text;
  }

  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }

  require(text: string): void {
    if (!this.take(text)) this.fail(`expected ${text}, got ${quote(this.token.text)}`);
  }

  fail(message: string, token = this.token): never {
    throw new CodeError(this.text, token.from, token.to, message);
  }

  fold(name: string): string {
    return this.grammar.foldsCase ? name.toLowerCase() : name;
  }

  /** A sum of products of literals and names. */
  value(): Value {
    let left = this.#product();
    for (;;) {
      const sign = this.is("+") ? 1 : this.is("-") ? -1 : 0;
      if (sign === 0) return left;
      const token = this.token;
      this.at++;
      const right = this.#product();
      left = { kind: "integer", value: this.integer(left, token) + sign * this.integer(right, token) };
    }
  }

  integer(value: Value, token: Token): number {
    if (value.kind === "integer") return value.value;
    return this.fail(`expected an integer, got ${describe(value)}`, token);
  }

  #product(): Value {
    let left = this.#unary();
    for (;;) {
      const token = this.token;
      if (!this.is("*") && !this.is("/")) return left;
      this.at++;
      const [a, b] = [this.integer(left, token), this.integer(this.#unary(), token)];
      left = { kind: "integer", value: token.text === "*" ? a * b : Math.trunc(a / b) };
    }
  }

  #unary(): Value {
    if (this.#depth === MOST_DEPTH) this.fail(`expected at most ${MOST_DEPTH} expressions inside each other, got more`);
    this.#depth++;
    try {
      return this.#signed();
    } finally {
      this.#depth--;
    }
  }

  #signed(): Value {
    const token = this.token;
    if (this.take("-")) return { kind: "integer", value: -this.integer(this.#unary(), token) };
    if (this.take("+") || this.take("&")) return this.#unary();
    return this.#primary();
  }

  #primary(): Value {
    const token = this.token;
    if (token.kind === "number") return this.#number(token);
    if (this.is("[")) return this.list("[", "]");
    if (this.is("{")) return this.list("{", "}");
    if (this.is("(/")) return this.list("(/", "/)");
    if (this.is("(")) return this.#parenthesised();
    if (token.kind !== "name") return this.fail(`expected an integer, a list or a datatype, got ${quote(token.text)}`);
    this.at++;
    return this.#named(token);
  }

  #number(token: Token): Value {
    this.at++;
    const value = Number(token.text.replace(/(?:[uUlL]+|_\w+)$/, ""));
    if (!Number.isSafeInteger(value)) this.fail(`expected an integer below 2^53, got ${token.text}`, token);
    return { kind: "integer", value };
  }

  /** A value in parentheses, a cast before one, or what Python calls a tuple. */
  #parenthesised(): Value {
    const open = this.at;
    this.at++;
    const isCast = this.token.kind === "name" && (this.token.text in SIZES || CASTS.test(this.token.text));
    if (isCast) {
      while (!this.is(")") && !this.atEnd) this.at++;
      this.require(")");
      return this.#unary();
    }
    const first = this.value();
    if (this.take(")")) return first;
    this.at = open;
    return this.list("(", ")");
  }

  list(open: string, close: string): Value {
    this.require(open);
    const entries: Value[] = [];
    // Fortran names the type of an empty list: [integer ::].
    if (this.peek(1)?.text === "::") this.at += 2;
    while (!this.take(close)) {
      entries.push(this.value());
      if (!this.is(close)) this.require(",");
    }
    return { kind: "list", entries };
  }

  #named(token: Token): Value {
    const name = token.text;
    if (this.grammar.hasMethods && name === "MPI" && this.is(".")) {
      this.at++;
      const member = this.token;
      this.at++;
      if (member.text === "Datatype") return { kind: "name", name: "MPI.Datatype" };
      return this.symbol(`MPI_${member.text}`, member);
    }
    if (/^sizeof$/i.test(name)) return this.#sizeof();
    if (CASTS.test(name) && this.is("(")) return this.#cast();
    if (/^MPI_/i.test(name) && !this.variables.has(this.fold(name))) return this.symbol(name, token);
    const known = this.variables.get(this.fold(name));
    const index = this.#index();
    if (index === undefined) return known ?? { kind: "name", name: this.fold(name) };
    const entry = known?.kind === "list" ? known.entries[index - this.grammar.base] : undefined;
    return entry ?? { kind: "name", name: this.fold(name), index: index - this.grammar.base };
  }

  #index(): number | undefined {
    const [open, close] = this.grammar.base === 1 ? ["(", ")"] : ["[", "]"];
    const token = this.token;
    if (!this.take(open)) return undefined;
    const index = this.integer(this.value(), token);
    this.require(close);
    return index;
  }

  #sizeof(): Value {
    this.require("(");
    let bytes: number | undefined;
    const token = this.token;
    for (; !this.is(")") && !this.atEnd; this.at++) bytes = this.is("*") ? 8 : (SIZES[this.token.text] ?? bytes);
    this.require(")");
    return bytes === undefined ? this.fail("expected a type of C's own", token) : { kind: "integer", value: bytes };
  }

  /** int(8, MPI_ADDRESS_KIND). */
  #cast(): Value {
    this.require("(");
    const value = this.value();
    while (!this.is(")") && !this.atEnd) this.at++;
    this.require(")");
    return value;
  }

  /** A predefined datatype or a constant of MPI's. */
  symbol(written: string, token: Token): Value {
    const name = this.grammar.foldsCase ? written.toUpperCase() : written;
    const known = this.grammar.names[name] ?? name;
    if (isPredefinedName(known) && predefinedFacts(known)) return { kind: "type", type: predefined(known) };
    if (known in CONSTANTS) return { kind: "constant", value: CONSTANTS[known] as string | null };
    return this.fail(`expected a predefined datatype or a constant, got ${quote(written)}`, token);
  }
}

export const quote = (text: string): string => JSON.stringify(text);

export function describe(value: Value): string {
  switch (value.kind) {
    case "integer":
      return String(value.value);
    case "constant":
      return `the constant ${value.value}`;
    case "list":
      return `a list of ${value.entries.length}`;
    case "type":
      return "a datatype";
    case "name":
      return `${quote(value.name)}, which has no literal value here`;
  }
}
