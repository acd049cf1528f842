/** Control characters, an escape sequence's among them: a name in a file may hold any. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;

/** Text as a cell of a Markdown table: in one line, with bars and backslashes escaped. */
export const cell = (text: string): string =>
  text.replaceAll(CONTROLS, " ").replaceAll("\\", "\\\\").replaceAll("|", "\\|").trim();

/** Text as code of Markdown, in backticks and in one line; backticks inside become apostrophes. */
export const code = (text: string): string => `\`${text.replaceAll(CONTROLS, " ").replaceAll("`", "'")}\``;

/** A Markdown table with these columns. Each line has one text a column. */
export const markdownTable = (columns: readonly string[], lines: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => "---"), ...lines.map((line) => line.map(cell))]
    .map((line) => `| ${line.join(" | ")} |`)
    .join("\n");
