/** Control characters, an escape sequence's among them: a name in a file may hold any. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;

/** A text as a cell of a Markdown table: in one line, and no bar ends it. */
export const cell = (text: string): string =>
  text.replaceAll(CONTROLS, " ").replaceAll("\\", "\\\\").replaceAll("|", "\\|").trim();

/** A text inside backticks. */
export const code = (text: string): string => `\`${text.replaceAll(CONTROLS, " ").replaceAll("`", "'")}\``;

export const markdownTable = (columns: readonly string[], lines: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => "---"), ...lines.map((line) => line.map(cell))]
    .map((line) => `| ${line.join(" | ")} |`)
    .join("\n");
