import type { SpecialRegister } from "../ir/index.js";
import type { Straight } from "../ir/operands.js";
import { load, loadParameter, store } from "./access.js";
import {
  binary,
  compare,
  convert,
  float,
  floatCompare,
  multiplyAdd,
  product,
  select,
  shift,
  unary,
} from "./arithmetic.js";
import { FUNCTION, globalIndex, push, type Lane } from "./translator.js";

/** One instruction of one lane. */
export function straight(lane: Lane, instruction: Straight): void {
  if (instruction.kind === "load") load(lane, instruction);
  else if (instruction.kind === "store") store(lane, instruction);
  else if (instruction.kind === "loadParameter") loadParameter(lane, instruction);
  // Lanes run one after the other on one memory: every access is seen at once, and a fence has nothing to do.
  else if (instruction.kind !== "barrier" && instruction.kind !== "fence") {
    compute(lane, instruction);
    lane.code.set(lane.local(instruction.target));
  }
}

type Computation = Exclude<Straight, { kind: "load" | "store" | "loadParameter" | "barrier" | "fence" }>;

function compute(lane: Lane, instruction: Computation): void {
  switch (instruction.kind) {
    case "binary":
      return binary(lane, instruction);
    case "shift":
      return shift(lane, instruction);
    case "unary":
      return unary(lane, instruction);
    case "multiplyAdd":
      return multiplyAdd(lane, instruction);
    case "multiplyWide":
      return product(lane, instruction.a.type, instruction.a, instruction.b);
    case "compare":
      return compare(lane, instruction);
    case "float":
      return float(lane, instruction);
    case "floatCompare":
      return floatCompare(lane, instruction);
    case "select":
      return select(lane, instruction);
    case "convert":
      return convert(lane, instruction);
    case "funnelShift":
      push(lane, instruction.high);
      lane.code.op("i64ExtendI32U").i64(32n).op("i64Shl");
      push(lane, instruction.low);
      lane.code.op("i64ExtendI32U", "i64Or");
      push(lane, instruction.amount);
      return void lane.code.i32(31).op("i32And", "i64ExtendI32U", "i64ShrU", "i32WrapI64");
    case "permute":
      [instruction.a, instruction.b, instruction.selector].forEach((operand) => push(lane, operand));
      return void lane.code.call(FUNCTION.permute);
    case "special":
      return special(lane, instruction.register);
  }
}

function special(lane: Lane, register: SpecialRegister): void {
  const { code } = lane;
  const thread = (): void => void code.get(lane.warp).i32(32).op("i32Mul").get(lane.lane).op("i32Add");
  const size = (axis: "x" | "y"): void => void code.getGlobal(globalIndex(`ntid.${axis}`));
  if (register === "laneid") code.get(lane.lane);
  else if (register === "globaltimer_lo") code.call(FUNCTION.timer);
  else if (register === "tid.x") {
    thread();
    size("x");
    code.op("i32RemU");
  } else if (register === "tid.y" || register === "tid.z") {
    thread();
    size("x");
    code.op("i32DivU");
    size("y");
    code.op(register === "tid.y" ? "i32RemU" : "i32DivU");
  } else code.getGlobal(globalIndex(register));
}
