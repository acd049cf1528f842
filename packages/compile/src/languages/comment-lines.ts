const WIDTH = 100;

/** A text without spaces of its own broken behind commas, for comments. */
export function commentLines(text: string): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const piece of text.split(/(?<=,)/)) {
    if (line.length > 0 && line.length + piece.length > WIDTH) {
      lines.push(line);
      line = "";
    }
    line += piece;
  }
  return [...lines, line];
}
