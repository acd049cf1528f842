/** As wide as oxfmt makes code. */
const WIDTH = 120;

/** What no text of the line before goes on in: a tag, an item, a table, a diagram, a command, code. */
const APART = /^(?:@|[-*|+<>]|```|\d+[.)]\s|(?:node|npx|npm|mpirun|mpiexec)\s|\s*$)|^\s{3,}/;
const ITEM = /^(\s*)((?:[-*]|\d+[.)])\s+)?/;
/** Lines for a tool, which reads each by itself. */
const DIRECTIVE = /^\s*(?:eslint|oxlint|oxfmt|@ts-|\/|#)/;

/** The last place where a line may be cut to be so wide at most; 0 where there is none. */
const cutOf = (text, width) => {
  const at = text.lastIndexOf(" ", width);
  return text.slice(0, at).trim() === "" || /^\s*(?:[-*]|\d+[.)])$/.test(text.slice(0, at)) ? 0 : at;
};

/** Lines of text, none wider where it can be cut; what is cut off goes before the next line of the same paragraph. */
function wrapped(lines, width) {
  const made = [];
  let rest = "";
  let indent = "";
  const isTable = (text) => /^\s*\|/.test(text) || /\S {3,}\S/.test(text);
  for (const line of [...lines, ""]) {
    const goesOn = rest !== "" && !APART.test(line.slice(indent.length)) && line.startsWith(indent);
    if (rest !== "" && !goesOn) made.push(indent + rest);
    let text = goesOn && rest !== "" ? `${indent}${rest} ${line.trimStart()}` : line;
    if (!goesOn) indent = " ".repeat(ITEM.exec(line)?.[0].length ?? 0);
    rest = "";
    while (text.length > width && !isTable(text) && cutOf(text, width) > 0) {
      const at = cutOf(text, width);
      made.push(text.slice(0, at));
      rest = text.slice(at + 1);
      text = indent + rest;
    }
    if (rest === "") made.push(text);
  }
  return made.slice(0, -1);
}

/** Comments that are lines of their own: `//` lines one below the other are one. */
function ownComments({ lines, comments }) {
  const groups = [];
  for (const comment of comments) {
    const { start, end } = comment.loc;
    const isAlone = lines[start.line - 1].slice(0, start.column).trim() === "";
    if (!isAlone || lines[end.line - 1].slice(end.column).trim() !== "") continue;
    const last = groups.at(-1)?.at(-1);
    const joins =
      comment.type === "Line" &&
      last?.type === "Line" &&
      last.loc.start.line === start.line - 1 &&
      last.loc.start.column === start.column;
    if (joins) groups.at(-1).push(comment);
    else if (comment.type === "Line" || (comment.type === "Block" && comment.value.startsWith("*")))
      groups.push([comment]);
  }
  return groups;
}

/** The text of a group, wrapped; the column is where it begins. */
function rewritten(group, column) {
  const indent = " ".repeat(column);
  if (group[0].type === "Line") {
    const text = group.map(({ value }) => value.replace(/^ /, ""));
    if (text.some((line) => DIRECTIVE.test(line))) return undefined;
    return wrapped(text, WIDTH - column - "// ".length)
      .map((line) => `// ${line}`.trimEnd())
      .join(`\n${indent}`);
  }
  const inner = group[0].value.slice(1).split("\n");
  const text = inner.map((line, i) => (i === 0 ? line.trim() : line.replace(/^\s*\* ?/, "").trimEnd()));
  if (inner.length === 1) {
    const made = wrapped(text, WIDTH - column - " * ".length);
    return [`/**`, ...made.map((line) => ` * ${line}`), ` */`].join(`\n${indent}`);
  }
  const body = wrapped(text.slice(text[0] === "" ? 1 : 0, -1), WIDTH - column - " * ".length);
  const last = text.at(-1) === "" ? [] : [text.at(-1)];
  return [`/**`, ...[...body, ...last].map((line) => ` * ${line}`.trimEnd()), ` */`].join(`\n${indent}`);
}

/** Comments are as wide as code at most; oxfmt leaves them as they are. */
export default {
  meta: {
    type: "layout",
    fixable: "code",
    messages: { wide: "comment of {{width}} columns: expected {{most}} at most" },
    schema: [],
  },
  create(context) {
    const { sourceCode } = context;
    return {
      Program() {
        const lines = sourceCode.lines;
        for (const group of ownComments({ lines, comments: sourceCode.getAllComments() })) {
          const [first, last] = [group[0], group.at(-1)];
          const width = Math.max(
            ...lines.slice(first.loc.start.line - 1, last.loc.end.line).map((line) => line.length),
          );
          if (width <= WIDTH) continue;
          const text = rewritten(group, first.loc.start.column);
          const range = [first.range[0], last.range[1]];
          if (text === undefined || text === sourceCode.text.slice(...range)) continue;
          const [loc, data] = [
            { start: first.loc.start, end: last.loc.end },
            { width, most: WIDTH },
          ];
          context.report({ loc, messageId: "wide", data, fix: (fixer) => fixer.replaceTextRange(range, text) });
        }
      },
    };
  },
};
