/** Characters [from, to) of a text. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|-?[\d.eE+-]+|true|false|null/y;
const SPACE = /\s*/y;

/**
 * Where the value at a path such as `type.children[2].count` stands in a JSON text; of a text that stops being JSON
 * before, where it stops. The nearest value around it where there is none at the path.
 */
export function placeInJson(text: string, path: string): TextRange {
  const walk = new Walk(text, stepsOf(path));
  walk.value(0);
  return walk.found;
}

/** Where a text stops being JSON: the first token that does not fit. */
export function faultInJson(text: string): TextRange {
  const walk = new Walk(text, []);
  const ok = walk.value(0) && walk.atEnd();
  return ok ? { from: 0, to: text.length } : walk.here();
}

const stepsOf = (path: string): readonly string[] =>
  [...path.matchAll(/\.(\w+)|\[(\d+)\]/g)].map(([, name, index]) => (name ?? index) as string);

class Walk {
  found: TextRange;
  readonly #text: string;
  readonly #steps: readonly string[];
  /** The token at hand, where it ends, and where the one before it ended. */
  #token = "";
  #at = 0;
  #end = 0;
  /** Steps of the path that have been matched; -1 once its value is found. */
  #depth = 0;

  constructor(text: string, steps: readonly string[]) {
    this.#text = text;
    this.#steps = steps;
    this.found = { from: 0, to: text.length };
    this.#next();
  }

  /** Reads one value; false where the text is no JSON. `matched`: steps of the path that lead here, or -1. */
  value(matched: number): boolean {
    const from = this.#at - this.#token.length;
    const ok = this.#is("{") ? this.#object(matched) : this.#is("[") ? this.#list(matched) : this.#scalar();
    if (matched >= 0 && matched === this.#depth) this.#keep(from);
    return ok;
  }

  atEnd(): boolean {
    return this.#token === "" && this.#at >= this.#text.trimEnd().length;
  }

  here(): TextRange {
    const from = Math.min(this.#at - this.#token.length, Math.max(0, this.#text.length - 1));
    return { from: Math.max(0, from), to: Math.max(from + 1, this.#at) };
  }

  #keep(from: number): void {
    this.found = { from, to: Math.max(from + 1, this.#end) };
    this.#depth = -1;
  }

  #object(matched: number): boolean {
    this.#next();
    while (!this.#is("}")) {
      if (!this.#token.startsWith('"')) return false;
      const name = JSON.parse(this.#token) as string;
      this.#next();
      if (!this.#is(":")) return false;
      this.#next();
      if (!this.#step(matched, name)) return false;
      if (this.#is(",")) this.#next();
      else if (!this.#is("}")) return false;
    }
    this.#next();
    return true;
  }

  #list(matched: number): boolean {
    this.#next();
    for (let i = 0; !this.#is("]"); i++) {
      if (!this.#step(matched, String(i))) return false;
      if (this.#is(",")) this.#next();
      else if (!this.#is("]")) return false;
    }
    this.#next();
    return true;
  }

  #step(matched: number, name: string): boolean {
    const onPath = matched >= 0 && matched === this.#depth && this.#steps[matched] === name;
    if (onPath) this.#depth++;
    return this.value(onPath ? matched + 1 : -1);
  }

  #scalar(): boolean {
    if (this.#token === "" || /^[\]},:]/.test(this.#token)) return false;
    this.#next();
    return true;
  }

  #is(token: string): boolean {
    return this.#token === token;
  }

  #next(): void {
    this.#end = this.#at;
    SPACE.lastIndex = this.#at;
    SPACE.exec(this.#text);
    TOKEN.lastIndex = SPACE.lastIndex;
    this.#token = TOKEN.exec(this.#text)?.[0] ?? "";
    this.#at = SPACE.lastIndex + this.#token.length;
  }
}
