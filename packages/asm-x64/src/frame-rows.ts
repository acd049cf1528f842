import type { Assembler, Line } from "./assembler.js";
import type { BasedMemory, Operand } from "./operand.js";
import { r12, r13, r14, r15, rbp, rbx, rsp, type Register } from "./registers.js";
import type { Row } from "./row.js";
import { general } from "./table/general.js";

/** A callee-saved register of the caller, which lies on the stack. */
export interface SavedRegister {
  /** The register. */
  readonly register: Register;
  /** Bytes from the canonical frame address down to where it lies. */
  readonly belowCfaBytes: number;
}

/**
 * The facts that an unwinder needs before each instruction from an offset on, up to the next row's (DWARF 5, section
 * 6.4).
 */
export interface FrameRow {
  /** Bytes from the start of the code to the first such instruction. */
  readonly offset: number;
  /** Bytes from rsp to the canonical frame address, which is what rsp was before the call. */
  readonly cfaBytes: number;
  /** The registers of the caller that lie on the stack. */
  readonly saved: readonly SavedRegister[];
}

/** The frame of a piece of code, before each of its instructions. */
export interface FrameRows {
  /** The rows, by offset. Instructions that nothing reaches have none of their own. */
  readonly rows: readonly FrameRow[];
  /** The offset behind the last instruction. */
  readonly endBytes: number;
}

/** System V AMD64 ABI, section 3.2.1: what a function gives back as it got it. */
const CALLEE_SAVED: readonly Register[] = [rbx, rbp, r12, r13, r14, r15];
const RETURN_ADDRESS_BYTES = 8;

/** Before an instruction: bytes pushed since the routine was entered, and what became of callee-saved registers. */
interface State {
  readonly pushedBytes: number;
  /** For each saved register, by its number: bytes pushed up to and with it. */
  readonly saved: ReadonlyMap<number, number>;
  /** Bits of registers by number: no longer what they were at the entry. */
  readonly changed: number;
}

const ENTERED: State = { pushedBytes: 0, saved: new Map(), changed: 0 };

/**
 * Finds the frame before each instruction, by following every jump and every call from byte 0 and from labels that
 * words name. The assembler must keep a listing. Routines that the code calls keep callee-saved registers, unless they
 * have been saved before. Throws an Error where rsp is moved by an amount that is known at run time alone, or where
 * ways that meet have pushed different amounts.
 */
export function frameRows(assembler: Assembler): FrameRows {
  const lines = assembler.lines();
  const states = statesOf(assembler, lines);
  const rows: FrameRow[] = [];
  let last: State | undefined;
  lines.forEach(({ offset }, i) => {
    const state = states[i];
    if (state === undefined || (last !== undefined && hasSameFrame(state, last))) return;
    rows.push(rowOf(offset, state));
    last = state;
  });
  const end = lines.at(-1);
  return { rows, endBytes: end === undefined ? 0 : end.offset + end.length };
}

function rowOf(offset: number, { pushedBytes, saved }: State): FrameRow {
  const registers = CALLEE_SAVED.flatMap((register) => {
    const pushed = saved.get(register.number);
    return pushed === undefined ? [] : [{ register, belowCfaBytes: pushed + RETURN_ADDRESS_BYTES }];
  });
  return { offset, cfaBytes: pushedBytes + RETURN_ADDRESS_BYTES, saved: registers };
}

function statesOf(assembler: Assembler, lines: readonly Line[]): readonly (State | undefined)[] {
  const states = new Array<State | undefined>(lines.length).fill(undefined);
  const numbers = new Map(lines.map(({ offset }, i) => [offset, i]));
  const open: number[] = [];
  const reach = (i: number | undefined, state: State): void => {
    if (i === undefined || i >= lines.length) return;
    const known = states[i];
    const joined = known === undefined ? state : joinedStates(known, state, lines[i] as Line);
    if (known?.changed === joined.changed && hasSameFrame(known, joined)) return;
    states[i] = joined;
    open.push(i);
  };
  reach(0, ENTERED);
  for (const offset of assembler.namedInWords()) reach(numbers.get(offset), ENTERED);
  for (let i = open.pop(); i !== undefined; i = open.pop()) {
    const line = lines[i] as Line;
    const state = states[i] as State;
    const target = targetOf(line, assembler, numbers);
    const { isCall, isJump, goesOn } = flowOf(line.row);
    if (!goesOn && target === undefined && state.pushedBytes !== 0)
      throw new Error(`end of a routine at ${line.offset}: expected an empty frame, got ${state.pushedBytes} bytes`);
    if (isCall) reach(target, ENTERED);
    if (isJump) reach(target, state);
    if (goesOn) reach(i + 1, after(line, state));
  }
  return states;
}

const ENDS: ReadonlySet<Row> = new Set([general.ret, general.jmp_rm64, general.jmp_rel8, general.jmp_rel32]);

function flowOf(row: Row) {
  const isCall = row === general.call_rel32;
  return { isCall, isJump: row.encoding.relativeBits !== 0 && !isCall, goesOn: !ENDS.has(row) };
}

/** The instruction that a branch names; undefined where it names none, or one outside the code. */
function targetOf({ operands: [operand] }: Line, assembler: Assembler, numbers: ReadonlyMap<number, number>) {
  if (typeof operand !== "object" || operand.kind !== "label") return undefined;
  const offset = assembler.offsetOf(operand);
  return offset === undefined ? undefined : numbers.get(offset);
}

function joinedStates(a: State, b: State, { offset }: Line): State {
  if (a.pushedBytes !== b.pushedBytes)
    throw new Error(`frame at ${offset}: expected one size, got ${a.pushedBytes} and ${b.pushedBytes} bytes`);
  const saved = new Map([...a.saved].filter(([register, pushed]) => b.saved.get(register) === pushed));
  return { pushedBytes: a.pushedBytes, saved, changed: a.changed | b.changed };
}

const hasSameFrame = (a: State, b: State): boolean =>
  a.pushedBytes === b.pushedBytes &&
  a.saved.size === b.saved.size &&
  [...a.saved].every(([register, pushed]) => b.saved.get(register) === pushed);

function after(line: Line, state: State): State {
  const { row, operands } = line;
  const [first] = operands;
  const moved = movedBytes(line);
  if (state.pushedBytes + moved < 0)
    throw new Error(`frame at ${line.offset}: expected what was pushed to be taken off, got ${-moved} bytes`);
  if (moved !== 0) return pushed(row, first, { ...state, pushedBytes: state.pushedBytes + moved });
  if (READS.has(row)) return state;
  if (row === general.cpuid) return changed(rbx, state);
  if (isRegister(first)) return changed(first, state);
  return isBased(first) && first.base === rsp ? written(state.pushedBytes - first.disp, row.memoryBytes, state) : state;
}

/** Its first operand stays as it is, or is no register of the caller. */
const READS: ReadonlySet<Row> = new Set<Row>([
  general.cmp_rm64_r64,
  general.cmp_r64_m64,
  general.cmp_rm32_imm8,
  general.cmp_rm64_imm8,
  general.cmp_rm64_imm32,
  general.test_rm64_r64,
  general.test_rm64_imm32,
  general.call_rel32,
  general.call_rm64,
]);

const isRegister = (operand: Operand | undefined): operand is Register =>
  typeof operand === "object" && operand.kind === "register";
const isBased = (operand: Operand | undefined): operand is BasedMemory =>
  typeof operand === "object" && operand.kind === "memory";

/** By how much an instruction moves rsp down. */
function movedBytes({ row, operands: [first, second], offset }: Line): number {
  switch (row) {
    case general.push_r64:
    case general.push_imm32:
    case general.push_m64:
      return 8;
    case general.pop_r64:
      return -8;
  }
  if (first !== rsp || READS.has(row)) return 0;
  switch (row) {
    case general.add_rm64_imm8:
    case general.add_rm64_imm32:
      return -Number(second);
    case general.sub_rm64_imm8:
    case general.sub_rm64_imm32:
      return Number(second);
    case general.lea:
      if (isBased(second) && second.base === rsp && second.index === undefined) return -second.disp;
  }
  throw new Error(`rsp at ${offset}: expected to be moved by a constant, got ${row.mnemonic}`);
}

/** What a push saves, and what lies above rsp no longer. */
function pushed(row: Row, operand: Operand | undefined, state: State): State {
  if (row === general.push_r64 && isRegister(operand)) {
    const { number } = operand;
    if (!CALLEE_SAVED.includes(operand) || state.saved.has(number) || isChanged(number, state)) return state;
    return { ...state, saved: new Map([...state.saved, [number, state.pushedBytes]]) };
  }
  if (row === general.pop_r64 && isRegister(operand)) return popped(operand, state);
  return { ...state, saved: within(state) };
}

/** A register that gets back what was pushed with it is the caller's again. */
function popped(register: Register, state: State): State {
  const isBack = state.saved.get(register.number) === state.pushedBytes + 8;
  const rest = { ...state, saved: within(state) };
  return isBack ? { ...rest, changed: rest.changed & ~(1 << register.number) } : changed(register, rest);
}

const within = ({ pushedBytes, saved }: State): ReadonlyMap<number, number> =>
  new Map([...saved].filter(([, pushed]) => pushed <= pushedBytes));

const isChanged = (number: number, state: State): boolean => ((state.changed >> number) & 1) === 1;

function changed(register: Register, state: State): State {
  const { number } = register;
  const isSaved = CALLEE_SAVED.some((each) => each.number === number) && /^r\d/.test(register.class);
  return !isSaved || isChanged(number, state) ? state : { ...state, changed: state.changed | (1 << number) };
}

/** Bytes that were stored over: what was pushed there is gone. */
function written(fromPushed: number, bytes: number, state: State): State {
  const kept = [...state.saved].filter(([, pushed]) => pushed - 8 >= fromPushed || pushed <= fromPushed - bytes);
  return kept.length === state.saved.size ? state : { ...state, saved: new Map(kept) };
}
