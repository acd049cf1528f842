import type { Grammar } from "./grammar.js";

export interface Token {
  readonly kind: "name" | "number" | "sign" | "end";
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const NAME = /[A-Za-z_]\w*/y;
const NUMBER = /(?:0[xX][\da-fA-F]+|\d+(?:\.\d*)?)(?:[uUlL]+|_\w+)?/y;
const SIGN = /\(\/|\/\)|::|==|<=|>=|!=|[^\s]/y;

/** The words of a program. Ends of lines are tokens where they end statements. */
export function tokensOf(text: string, { comment, byLines }: Grammar): readonly Token[] {
  const tokens: Token[] = [];
  let open = 0;
  const match = (pattern: RegExp, at: number): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  for (let at = 0; at < text.length;) {
    const skipped = match(comment, at) ?? match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y, at);
    if (skipped !== undefined) at += skipped.length;
    else if (/\s/.test(text[at] as string)) {
      if (text[at] === "\n" && byLines && open === 0) tokens.push({ kind: "end", text: "\n", from: at, to: at + 1 });
      at++;
    } else {
      const [name, number] = [match(NAME, at), match(NUMBER, at)];
      const found = name ?? number ?? match(SIGN, at) ?? "";
      if (/^(?:[([{]|\(\/)$/.test(found)) open++;
      if (/^(?:[)\]}]|\/\))$/.test(found)) open = Math.max(0, open - 1);
      const kind = name !== undefined ? "name" : number !== undefined ? "number" : found === ";" ? "end" : "sign";
      tokens.push({ kind, text: found, from: at, to: at + found.length });
      at += found.length;
    }
  }
  return tokens;
}
