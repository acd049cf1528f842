import pc from "picocolors";

/** Columns under their names; the first to the left, numbers to the right. */
export function align(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  return lines
    .map((line, row) => {
      const cells = line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)));
      const text = cells.join("  ").trimEnd();
      return row === 0 ? pc.bold(text) : text;
    })
    .join("\n");
}
