/** Entries at the start of a list that are shown, and at its end. */
const FIRST = 8;
const LAST = 2;
/** Lists that are shorter lose more by being cut than they take. */
const WORTH_CUTTING = 16;

/**
 * Lists of numbers without their middle, and how many are left out: [0, 4, 6, … 999990 more …, 2999997]. Told by a
 * loop: a regular expression keeps a place to go back to for each of their millions of entries.
 */
export function elideLists(text: string): string {
  const parts: string[] = [];
  let told = 0;
  for (let open = text.indexOf("["); open >= 0; open = text.indexOf("[", open + 1)) {
    const close = endOfNumbers(text, open + 1);
    if (text[close] !== "]") continue;
    parts.push(text.slice(told, open + 1), elided(text.slice(open + 1, close)));
    told = open = close;
  }
  return parts.join("") + text.slice(told);
}

/** Where what is no digit, sign, comma or space comes first. */
function endOfNumbers(text: string, from: number): number {
  let at = from;
  while (isOfNumbers(text.charCodeAt(at))) at++;
  return at;
}

const isOfNumbers = (code: number): boolean => (code >= 48 && code <= 57) || code === 44 || code === 45 || code === 32;

function elided(body: string): string {
  const entries = body.split(",");
  if (entries.length <= WORTH_CUTTING) return body;
  const space = body.includes(", ") ? " " : "";
  const left = `${space}… ${entries.length - FIRST - LAST} more …`;
  return [...entries.slice(0, FIRST), left, ...entries.slice(-LAST)].join(",");
}

/** Breaks lines at spaces and commas so that none is wider; what follows is indented by two more than its line. */
export function wrapLines(text: string, width: number): string {
  const least = Math.max(width, LEAST_WIDTH);
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, least))
    .join("\n");
}

/** A terminal may be narrower, or say that it has no columns at all. */
const LEAST_WIDTH = 8;

function wrapLine(line: string, width: number): readonly string[] {
  const indent = " ".repeat(Math.min((/^ */.exec(line)?.[0].length ?? 0) + 2, Math.floor(width / 2)));
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const at = breakBefore(rest, width, indent.length);
    lines.push(rest.slice(0, at).trimEnd());
    rest = indent + rest.slice(at).trimStart();
  }
  return [...lines, rest];
}

/** After the last space or comma that fits; where there is none, in the middle of a word. */
function breakBefore(text: string, width: number, least: number): number {
  for (let at = width; at > least + 1; at--) if (" ,".includes(text[at - 1] ?? "")) return at;
  return width;
}
