import type { If, Instruction, While } from "./instruction.js";
import type { Operand, Register } from "./register.js";

/** An instruction without branches of its own. */
export type Straight = Exclude<Instruction, If | While>;

export function operandsRead(instruction: Straight): readonly Operand[] {
  switch (instruction.kind) {
    case "binary":
    case "multiplyWide":
    case "compare":
    case "float":
    case "floatCompare":
      return [instruction.a, instruction.b];
    case "shift":
      return [instruction.a, instruction.amount];
    case "unary":
    case "convert":
      return [instruction.a];
    case "multiplyAdd":
      return [instruction.a, instruction.b, instruction.c];
    case "select":
      return [instruction.condition, instruction.whenTrue, instruction.whenFalse];
    case "funnelShift":
      return [instruction.low, instruction.high, instruction.amount];
    case "permute":
      return [instruction.a, instruction.b, instruction.selector];
    case "loadParameter":
      return instruction.index === null ? [] : [instruction.index];
    case "load":
      return [instruction.address];
    case "store":
      return [instruction.address, ...instruction.values];
    case "special":
    case "barrier":
    case "fence":
      return [];
  }
}

export function registersWritten(instruction: Straight): readonly Register[] {
  if ("targets" in instruction) return instruction.targets;
  return "target" in instruction ? [instruction.target] : [];
}
