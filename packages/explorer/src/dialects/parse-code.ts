import { contiguous, DatatypeError, parseDatatype, predefined, withChildren, type Datatype } from "@stowage/ir";
import { CodeError } from "./code-error.js";
import { CONSTRUCTORS, type Constructor } from "./constructors.js";
import { describe, Evaluator, quote, type Value } from "./evaluator.js";
import type { Grammar } from "./grammar.js";
import { tokensOf, type Token } from "./tokens.js";

/**
 * The datatype that a program builds by plain calls with literal arguments: the one that it commits last, or else
 * builds last. Declarations, other calls and control flow are passed over; what is not literal matters where a
 * constructor uses it. Throws a CodeError at the place.
 */
export function parseCode(text: string, grammar: Grammar): Datatype {
  return new Program(text, grammar).run();
}

const HOLE = predefined("MPI_BYTE");

interface Argument {
  readonly value: Value;
  readonly token: Token;
  readonly keyword: string | undefined;
}

class Program {
  readonly #at: Evaluator;
  #committed: Datatype | undefined;
  #built: Datatype | undefined;

  constructor(text: string, grammar: Grammar) {
    this.#at = new Evaluator(text, grammar, tokensOf(text, grammar));
  }

  run(): Datatype {
    while (!this.#at.atEnd) this.#statement();
    const result = this.#committed ?? this.#built;
    if (result !== undefined) return result;
    throw new CodeError(this.#at.text, 0, this.#at.text.length, "expected a call of a constructor, got none");
  }

  #statement(): void {
    const { token, grammar } = this.#at;
    const next = this.#at.peek(1)?.text;
    if (token.kind !== "name") this.#at.at++;
    else if (token.text === "define") this.#define();
    else if (/^MPI_Type_/i.test(token.text) && next === "(") this.#call(token);
    else if (next === "=" || next === "[" || (next === "(" && grammar.base === 1)) this.#assignment();
    else if (grammar.hasMethods && next === ".") this.#expression();
    else this.#at.at++;
  }

  /** #define N 5 */
  #define(): void {
    const name = this.#at.peek(1)?.text ?? "";
    this.#at.at += 2;
    this.#keep(name, undefined, this.#literal());
  }

  /** A value that is literal; undefined where it is not, and then nobody may use it. */
  #literal(): Value | undefined {
    const { at } = this.#at;
    try {
      return this.#postfixed(this.#at.value());
    } catch (error) {
      if (!(error instanceof CodeError) || this.#buildsType(at)) throw error;
      this.#at.at = at + 1;
      return undefined;
    }
  }

  /** Whether a constructor is called between there and the end of the statement. */
  #buildsType(from: number): boolean {
    for (let ahead = from - this.#at.at; ; ahead++) {
      const token = this.#at.peek(ahead);
      if (token === undefined || token.kind === "end") return false;
      if (/^(?:Create_\w+|Dup)$/.test(token.text)) return true;
    }
  }

  #assignment(): void {
    const start = this.#at.at;
    const name = this.#at.token.text;
    this.#at.at++;
    const index = this.#place();
    if (!this.#at.take("=")) this.#at.at = start + 1;
    else this.#keep(name, index, this.#literal());
  }

  /** The index in name[index]; undefined where there is none, or the brackets only declare. */
  #place(): number | undefined {
    const open = this.#at.grammar.base === 1 ? "(" : "[";
    if (!this.#at.take(open)) return undefined;
    const value = this.#at.is("]") ? undefined : this.#literal();
    while (!this.#at.is("]") && !this.#at.is(")") && !this.#at.atEnd) this.#at.at++;
    this.#at.at++;
    return value?.kind === "integer" ? value.value - this.#at.grammar.base : undefined;
  }

  #keep(name: string, index: number | undefined, value: Value | undefined): void {
    const key = this.#at.fold(name);
    const { variables } = this.#at;
    if (value?.kind === "type") this.#built = value.type;
    // The brackets of a declaration hold a length, of a list that follows.
    if (index === undefined || value?.kind === "list") {
      if (value === undefined) variables.delete(key);
      else variables.set(key, value);
      return;
    }
    const known = variables.get(key);
    const list = known?.kind === "list" ? known : { kind: "list" as const, entries: [] };
    list.entries[index] = value ?? { kind: "name", name: `${name}[${index}]` };
    variables.set(key, list);
  }

  /** A statement of Python's that is a value: t.Commit(). */
  #expression(): void {
    const start = this.#at.at;
    const value = this.#literal();
    if (this.#at.at === start) this.#at.at++;
    if (value?.kind === "type") this.#built = value.type;
  }

  /** t.Create_vector(3, 2, 5).Commit() */
  #postfixed(start: Value): Value {
    let value = start;
    while (this.#at.grammar.hasMethods && this.#at.take(".")) {
      const method = this.#at.token;
      this.#at.at++;
      if (method.text === "Create_struct" && value.kind === "name") value = HOLE_VALUE;
      if (value.kind !== "type")
        this.#at.fail(`expected a datatype before .${method.text}, got ${describe(value)}`, method);
      const args = this.#arguments();
      if (method.text === "Commit") this.#committed = value.type;
      if (/^(?:Commit|Free|Set_name)$/.test(method.text)) continue;
      const found = CONSTRUCTORS.find((each) => each.method === method.text);
      if (found === undefined) this.#at.fail(`expected a constructor of datatypes, got ${quote(method.text)}`, method);
      value = { kind: "type", type: this.#build(found, method, args, value.type) };
    }
    return value;
  }

  #arguments(): readonly Argument[] {
    const args: Argument[] = [];
    this.#at.require("(");
    while (!this.#at.take(")")) {
      const isKeyword = this.#at.peek(1)?.text === "=" && this.#at.token.kind === "name";
      const keyword = isKeyword ? this.#at.token.text : undefined;
      if (isKeyword) this.#at.at += 2;
      const { token } = this.#at;
      args.push({ value: this.#postfixed(this.#at.value()), token, keyword });
      if (!this.#at.is(")")) this.#at.require(",");
    }
    return args;
  }

  /** MPI_Type_vector(3, 2, 5, MPI_INT, &t), in Fortran with an error's place behind. */
  #call(name: Token): void {
    this.#at.at++;
    const found = CONSTRUCTORS.find(({ call }) => this.#at.fold(call) === this.#at.fold(name.text));
    const action = this.#at.fold(name.text).toLowerCase().replace("mpi_type_", "");
    if (found === undefined && !/^(?:commit|free|size|get_|extent|set_|lb|ub)/.test(action))
      this.#at.fail(`expected a constructor of datatypes, got ${quote(name.text)}`, name);
    const outAt = this.#at.at;
    const args = this.#arguments();
    if (found === undefined) {
      if (action === "commit" && args[0]?.value.kind === "type") this.#committed = args[0].value.type;
      return;
    }
    const type = this.#build(found, name, args.slice(0, found.fields.length), undefined);
    this.#assignOut(args[found.fields.length], outAt, name, type);
  }

  /** The last argument names where the datatype goes, whatever that held before. */
  #assignOut(argument: Argument | undefined, callAt: number, call: Token, type: Datatype): void {
    if (argument === undefined)
      this.#at.fail(`expected a name for the datatype behind the arguments of ${call.text}`, call);
    const resume = this.#at.at;
    this.#at.at = callAt;
    while (this.#at.token.from < argument.token.from) this.#at.at++;
    this.#at.take("&");
    const { text } = this.#at.token;
    this.#at.at++;
    this.#keep(text, this.#place(), { kind: "type", type });
    this.#built = type;
    this.#at.at = resume;
  }

  #build(
    { kind, fields }: Constructor,
    call: Token,
    args: readonly Argument[],
    receiver: Datatype | undefined,
  ): Datatype {
    const names = receiver === undefined ? fields : fields.filter((name) => name !== "child" && !name.startsWith("#"));
    const document: Record<string, unknown> = { kind };
    let children: readonly Datatype[] = receiver === undefined || kind === "struct" ? [] : [receiver];
    names.forEach((name, i) => {
      const argument = args.find(({ keyword }) => keyword === name) ?? args.filter(({ keyword }) => !keyword)[i];
      if (argument === undefined && name === "order") document[name] = "C";
      else if (argument === undefined)
        this.#at.fail(`expected ${name} as argument ${i + 1} of ${call.text}, got none`, call);
      else if (name === "child") children = [this.#typeOf(argument)];
      else if (name === "children")
        children = this.#entries(argument).map((value) => this.#typeOf({ ...argument, value }));
      else if (name.startsWith("#")) document[name] = this.#at.integer(argument.value, argument.token);
      else document[name] = this.#plain(argument);
    });
    return this.#checked(document, children, call);
  }

  /** Lists are as long as their counts say; C programs may pass longer arrays. */
  #checked(document: Record<string, unknown>, children: readonly Datatype[], call: Token): Datatype {
    const counted = Object.keys(document).find((name) => name.startsWith("#"));
    const length = counted === undefined ? undefined : (document[counted] as number);
    const fields = Object.entries(document).filter(([name]) => name !== counted);
    const cut = (value: unknown): unknown => {
      if (!Array.isArray(value) || length === undefined) return value;
      if (value.length < length) this.#at.fail(`expected lists of ${length}, got one of ${value.length}`, call);
      return value.slice(0, length);
    };
    const isStruct = document["kind"] === "struct";
    const kept = isStruct ? (cut([...children]) as readonly Datatype[]) : children;
    const holes = isStruct ? { children: kept.map(() => "MPI_BYTE") } : { child: "MPI_BYTE" };
    const whole = { ...Object.fromEntries(fields.map(([name, value]) => [name, cut(value)])), ...holes };
    try {
      return withChildren(parseDatatype(whole), kept);
    } catch (error) {
      if (!(error instanceof DatatypeError)) throw error;
      throw new CodeError(this.#at.text, call.from, call.to, error.message.replace(/^type\./, ""), { cause: error });
    }
  }

  #typeOf({ value, token }: Argument): Datatype {
    if (value.kind === "type") return value.type;
    return this.#at.fail(`expected a datatype, got ${describe(value)}`, token);
  }

  #entries({ value, token }: Argument): readonly Value[] {
    if (value.kind === "list") return value.entries;
    return this.#at.fail(`expected a list, got ${describe(value)}`, token);
  }

  #plain({ value, token }: Argument): unknown {
    if (value.kind === "list")
      return Array.from(value.entries, (entry) => this.#plain({ value: entry, token, keyword: undefined }));
    if (value.kind === "integer" || value.kind === "constant") return value.value;
    return this.#at.fail(`expected an integer or a list of integers, got ${describe(value)}`, token);
  }
}

const HOLE_VALUE: Value = { kind: "type", type: contiguous(1, HOLE) };
