import type { Binary, Compare, Convert, Float, FloatCompare, MultiplyAdd, Select, Shift, Unary } from "../ir/index.js";
import { isSigned, isWide, type Operand, type RegisterType } from "../ir/register.js";
import type { OpName } from "../wasm/opcodes.js";
import { FUNCTION, push, valueType, type Lane } from "./translator.js";

const sign = (type: RegisterType): "S" | "U" => (isSigned(type) ? "S" : "U");

function pushBoth(lane: Lane, a: Operand, b: Operand): void {
  push(lane, a);
  push(lane, b);
}

/** Each of these leaves the target's value. */
export function binary(lane: Lane, { op, target, a, b }: Binary): void {
  const { code } = lane;
  const bits = valueType(target);
  pushBoth(lane, a, b);
  switch (op) {
    case "add":
      return void code.op(`${bits}Add`);
    case "sub":
      return void code.op(`${bits}Sub`);
    case "mul":
      return void code.op(`${bits}Mul`);
    case "and":
      return void code.op(`${bits}And`);
    case "or":
      return void code.op(`${bits}Or`);
    case "xor":
      return void code.op(`${bits}Xor`);
    case "div":
      return void code.op(`${bits}Div${sign(target.type)}`);
    case "rem":
      return void code.op(`${bits}Rem${sign(target.type)}`);
    case "min":
      pushBoth(lane, a, b);
      return void code.op(`${bits}Lt${sign(target.type)}`, "select");
    case "max":
      pushBoth(lane, a, b);
      return void code.op(`${bits}Gt${sign(target.type)}`, "select");
    case "mulHigh":
      code.op("drop", "drop");
      return mulHigh(lane, target.type, a, b);
  }
}

function mulHigh(lane: Lane, type: RegisterType, a: Operand, b: Operand): void {
  if (!isWide(type)) {
    product(lane, type, a, b);
    lane.code.i64(32n).op("i64ShrU", "i32WrapI64");
    return;
  }
  pushBoth(lane, a, b);
  lane.code.call(FUNCTION.mulHighU64);
  if (!isSigned(type)) return;
  // high(a·b) signed = high unsigned - (a < 0 ? b : 0) - (b < 0 ? a : 0), modulo 2^64.
  for (const [factor, other] of [[a, b] as const, [b, a] as const]) {
    push(lane, other);
    push(lane, factor);
    lane.code.i64(63n).op("i64ShrS", "i64And", "i64Sub");
  }
}

/** The 64-bit product of 32-bit factors. */
export function product(lane: Lane, type: RegisterType, a: Operand, b: Operand): void {
  const extend: OpName = `i64ExtendI32${sign(type)}`;
  push(lane, a);
  lane.code.op(extend);
  push(lane, b);
  lane.code.op(extend, "i64Mul");
}

export function multiplyAdd(lane: Lane, { wide, target, a, b, c }: MultiplyAdd): void {
  if (wide) product(lane, a.type, a, b);
  else {
    pushBoth(lane, a, b);
    lane.code.op(`${valueType(target)}Mul`);
  }
  push(lane, c);
  lane.code.op(`${valueType(target)}Add`);
}

/** PTX clamps the amount where WebAssembly takes it modulo the width. */
export function shift(lane: Lane, { op, target, a, amount }: Shift): void {
  const { code } = lane;
  const bits = valueType(target);
  const width = bits === "i32" ? 32 : 64;
  const arithmetic = op === "shr" && isSigned(target.type);
  push(lane, a);
  push(lane, amount);
  if (arithmetic) {
    code.i32(width - 1);
    push(lane, amount);
    code.i32(width).op("i32LtU", "select");
  }
  if (bits === "i64") code.op("i64ExtendI32U");
  code.op(op === "shl" ? `${bits}Shl` : `${bits}Shr${sign(target.type)}`);
  if (arithmetic) return;
  if (bits === "i32") code.i32(0);
  else code.i64(0n);
  push(lane, amount);
  code.i32(width).op("i32LtU", "select");
}

export function unary(lane: Lane, { op, a }: Unary): void {
  const { code } = lane;
  const bits = valueType(a);
  switch (op) {
    case "move":
      return push(lane, a);
    case "not":
      push(lane, a);
      if (a.type === "pred") code.op("i32Eqz");
      else if (bits === "i32") code.i32(-1).op("i32Xor");
      else code.i64(-1n).op("i64Xor");
      return;
    case "neg":
      if (bits === "i32") code.i32(0);
      else code.i64(0n);
      push(lane, a);
      return void code.op(`${bits}Sub`);
    case "populationCount":
    case "countLeadingZeros":
      push(lane, a);
      code.op(op === "populationCount" ? `${bits}Popcnt` : `${bits}Clz`);
      if (bits === "i64") code.op("i32WrapI64");
      return;
  }
}

const COMPARE = { eq: "Eq", ne: "Ne", lt: "Lt", le: "Le", gt: "Gt", ge: "Ge" } as const;

export function compare(lane: Lane, { op, a, b }: Compare): void {
  pushBoth(lane, a, b);
  const bits = valueType(a);
  if (op === "eq" || op === "ne") lane.code.op(`${bits}${COMPARE[op]}`);
  else lane.code.op(`${bits}${COMPARE[op]}${sign(a.type)}`);
}

const FLOAT = { add: "Add", sub: "Sub", mul: "Mul" } as const;
const FLOAT_COMPARE = { lt: "Lt", gt: "Gt" } as const;

/** Both as floats of their width; its name in WebAssembly. */
function pushFloats(lane: Lane, a: Operand, b: Operand): "f32" | "f64" {
  const bits = valueType(a);
  for (const operand of [a, b]) {
    push(lane, operand);
    lane.code.op(bits === "i32" ? "f32ReinterpretI32" : "f64ReinterpretI64");
  }
  return bits === "i32" ? "f32" : "f64";
}

export function float(lane: Lane, { op, a, b }: Float): void {
  const type = pushFloats(lane, a, b);
  lane.code.op(`${type}${FLOAT[op]}`, type === "f32" ? "i32ReinterpretF32" : "i64ReinterpretF64");
}

export function floatCompare(lane: Lane, { op, a, b }: FloatCompare): void {
  const type = pushFloats(lane, a, b);
  lane.code.op(`${type}${FLOAT_COMPARE[op]}`);
}

export function select(lane: Lane, { condition, whenTrue, whenFalse }: Select): void {
  pushBoth(lane, whenTrue, whenFalse);
  push(lane, condition);
  lane.code.op("select");
}

export function convert(lane: Lane, { target, a }: Convert): void {
  push(lane, a);
  const [from, to] = [valueType(a), valueType(target)];
  if (target.type === "pred") {
    if (a.type === "pred") return;
    if (from === "i32") lane.code.i32(0).op("i32Ne");
    else lane.code.i64(0n).op("i64Ne");
    return;
  }
  if (from === "i32" && to === "i64") lane.code.op(`i64ExtendI32${sign(a.type)}`);
  if (from === "i64" && to === "i32") lane.code.op("i32WrapI64");
}
