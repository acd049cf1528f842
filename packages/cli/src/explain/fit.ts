/** Entries at the start of a list that are shown, and at its end. */
const FIRST = 8;
const LAST = 2;
/** Lists that are shorter lose more by being cut than they take. */
const WORTH_CUTTING = 16;

const LIST = /\[(-?\d+(?:, ?-?\d+)*)\]/g;

/** Lists of numbers without their middle, and how many are left out: [0, 4, 6, … 999990 more …, 2999997]. */
export function elideLists(text: string): string {
  return text.replaceAll(LIST, (list, body: string) => {
    const separator = body.includes(", ") ? ", " : ",";
    const entries = body.split(separator);
    if (entries.length <= WORTH_CUTTING) return list;
    const left = `… ${entries.length - FIRST - LAST} more …`;
    return `[${[...entries.slice(0, FIRST), left, ...entries.slice(-LAST)].join(separator)}]`;
  });
}

/** Breaks lines at spaces and commas so that none is wider; what follows is indented by two more than its line. */
export function wrapLines(text: string, width: number): string {
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, width))
    .join("\n");
}

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
