import type {
  Binary,
  Compare,
  Convert,
  Float,
  FloatCompare,
  FunnelShift,
  MultiplyAdd,
  MultiplyWide,
  Permute,
  ReadSpecial,
  Select,
  Shift,
  Unary,
} from "../ir/index.js";
import { isWide, type RegisterType } from "../ir/register.js";
import { bitsType, operandText as text } from "./operand.js";

const NAMES = {
  add: "add",
  sub: "sub",
  mul: "mul.lo",
  mulHigh: "mul.hi",
  div: "div",
  rem: "rem",
  min: "min",
  max: "max",
} as const;

export function binaryLine({ op, target, a, b }: Binary): string {
  const logic = op === "and" || op === "or" || op === "xor";
  const name = logic ? `${op}.${bitsType(target.type)}` : `${NAMES[op]}.${target.type}`;
  return `${name} ${text(target)}, ${text(a)}, ${text(b)};`;
}

export function shiftLine({ op, target, a, amount }: Shift): string {
  const type = op === "shl" ? bitsType(target.type) : target.type;
  return `${op}.${type} ${text(target)}, ${text(a)}, ${text(amount)};`;
}

export function unaryLine({ op, target, a }: Unary): string {
  const operands = `${text(target)}, ${text(a)};`;
  switch (op) {
    case "move":
      if (a.kind === "immediate" && a.type === "pred") return `setp.ne.u32 ${text(target)}, ${a.literal}, 0;`;
      return `mov.${bitsType(a.type)} ${operands}`;
    case "not":
      return `not.${bitsType(a.type)} ${operands}`;
    case "neg":
      return `neg.${bitsType(a.type) === "b32" ? "s32" : "s64"} ${operands}`;
    case "populationCount":
      return `popc.${bitsType(a.type)} ${operands}`;
    case "countLeadingZeros":
      return `clz.${bitsType(a.type)} ${operands}`;
  }
}

export function multiplyAddLine({ wide, target, a, b, c }: MultiplyAdd): string {
  const name = wide ? `mad.wide.${a.type}` : `mad.lo.${target.type}`;
  return `${name} ${text(target)}, ${text(a)}, ${text(b)}, ${text(c)};`;
}

export const multiplyWideLine = ({ target, a, b }: MultiplyWide): string =>
  `mul.wide.${a.type} ${text(target)}, ${text(a)}, ${text(b)};`;

export const compareLine = ({ op, target, a, b }: Compare): string =>
  `setp.${op}.${a.type} ${text(target)}, ${text(a)}, ${text(b)};`;

const floatType = (type: RegisterType): string => (isWide(type) ? "f64" : "f32");

export const floatLine = ({ op, target, a, b }: Float): string =>
  `${op}.rn.${floatType(target.type)} ${text(target)}, ${text(a)}, ${text(b)};`;

export const floatCompareLine = ({ op, target, a, b }: FloatCompare): string =>
  `setp.${op}.${floatType(a.type)} ${text(target)}, ${text(a)}, ${text(b)};`;

export const selectLine = ({ target, condition, whenTrue, whenFalse }: Select): string =>
  `selp.${bitsType(target.type)} ${text(target)}, ${text(whenTrue)}, ${text(whenFalse)}, ${text(condition)};`;

export function convertLine({ target, a }: Convert): string {
  if (a.type === "pred") return `selp.${bitsType(target.type)} ${text(target)}, 1, 0, ${text(a)};`;
  if (target.type === "pred") return `setp.ne.${a.type} ${text(target)}, ${text(a)}, 0;`;
  const bits = bitsType(target.type);
  if (bits === bitsType(a.type)) return `mov.${bits} ${text(target)}, ${text(a)};`;
  return `cvt.${target.type}.${a.type} ${text(target)}, ${text(a)};`;
}

export const funnelShiftLine = ({ target, low, high, amount }: FunnelShift): string =>
  `shf.r.wrap.b32 ${text(target)}, ${text(low)}, ${text(high)}, ${text(amount)};`;

export const permuteLine = ({ target, a, b, selector }: Permute): string =>
  `prmt.b32 ${text(target)}, ${text(a)}, ${text(b)}, ${text(selector)};`;

export const specialLine = ({ target, register }: ReadSpecial): string => `mov.u32 ${text(target)}, %${register};`;
