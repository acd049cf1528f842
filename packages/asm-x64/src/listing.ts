import type { Assembler, Line } from "./assembler.js";
import type { Label, Operand } from "./operand.js";
import { registerName } from "./registers.js";

const SIZES: Readonly<Record<number, string>> = {
  0: "",
  1: "byte ptr ",
  2: "word ptr ",
  4: "dword ptr ",
  8: "qword ptr ",
  16: "xmmword ptr ",
  32: "ymmword ptr ",
  64: "zmmword ptr ",
};

/** One instruction in Intel's syntax, as GNU as reads it after `.intel_syntax noprefix`. */
export function lineText(line: Line): string {
  const { row, operands, masking } = line;
  const texts = operands.map((operand, i) => {
    const form = row.operands[i];
    const mask =
      masking !== undefined && form?.masked === true
        ? ` {k${masking.mask.number}}${masking.zeroing === true ? "{z}" : ""}`
        : "";
    return operandText(operand, form?.memoryBytes ?? 0) + mask;
  });
  return texts.length === 0 ? row.mnemonic : `${row.mnemonic} ${texts.join(", ")}`;
}

const labelText = ({ id }: Label): string => `.L${id}`;

function operandText(operand: Operand, memoryBytes: number): string {
  if (typeof operand !== "object") return String(operand);
  switch (operand.kind) {
    case "register":
      return registerName(operand);
    case "label":
      return labelText(operand);
    case "rip":
      return `${SIZES[memoryBytes] ?? ""}[rip + ${labelText(operand.label)}]`;
    case "memory": {
      const index = operand.index === undefined ? "" : ` + ${registerName(operand.index)}*${operand.scale}`;
      const disp = operand.disp === 0 ? "" : operand.disp < 0 ? ` - ${-operand.disp}` : ` + ${operand.disp}`;
      return `${SIZES[memoryBytes] ?? ""}[${registerName(operand.base)}${index}${disp}]`;
    }
  }
}

/**
 * The assembled code as text, a line an instruction: offset and bytes in hexadecimal digits, and the instruction;
 * labels stand on lines of their own. `endBytes` is the offset where the text ends. Default: all of the code. Throws as
 * finish does.
 */
export function listing(assembler: Assembler, endBytes = Infinity): string {
  const code = assembler.finish();
  const labels = labelsByOffset(assembler);
  const texts: string[] = [];
  for (const line of assembler.lines()) {
    if (line.offset >= endBytes) break;
    for (const label of labels.get(line.offset) ?? []) texts.push(`${labelText(label)}:`);
    const hex = [...code.subarray(line.offset, line.offset + line.length)]
      .map((byte) => byte.toString(16).padStart(2, "0"))
      .join("");
    texts.push(`${line.offset.toString(16).padStart(6, "0")}  ${hex.padEnd(22)} ${lineText(line)}`);
  }
  return texts.join("\n");
}

function labelsByOffset(assembler: Assembler): Map<number, Label[]> {
  const found = new Map<number, Label[]>();
  const seen = new Set<number>();
  for (const { operands } of assembler.lines()) {
    for (const operand of operands) {
      const label =
        typeof operand !== "object"
          ? undefined
          : operand.kind === "label"
            ? operand
            : operand.kind === "rip"
              ? operand.label
              : undefined;
      if (label === undefined || seen.has(label.id)) continue;
      seen.add(label.id);
      const offset = assembler.offsetOf(label) ?? -1;
      found.set(offset, [...(found.get(offset) ?? []), label]);
    }
  }
  return found;
}
