import type { Operand, RegisterType } from "../ir/register.js";

const PREFIX: Readonly<Record<RegisterType, string>> = { pred: "%p", u32: "%r", s32: "%r", u64: "%rd", s64: "%rd" };
const LARGEST_SIGNED = 2n ** 63n - 1n;

export function operandText(operand: Operand): string {
  if (operand.kind === "register") return `${PREFIX[operand.type]}${operand.id}`;
  return BigInt(operand.literal) > LARGEST_SIGNED ? `${operand.literal}U` : operand.literal;
}

/** .b32, .b64 or .pred: for instructions that look at bits alone. */
export const bitsType = (type: RegisterType): string =>
  type === "pred" ? "pred" : type === "u32" || type === "s32" ? "b32" : "b64";
