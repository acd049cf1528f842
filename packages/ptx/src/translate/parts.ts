import type { Instruction, Register } from "../ir/index.js";
import type { Straight } from "../ir/operands.js";

/** Straight-line code that all active lanes of a warp run, one lane after the other. */
export interface Segment {
  readonly kind: "segment";
  readonly instructions: readonly Straight[];
  /** The predicate that the branch behind this segment asks of every lane. */
  readonly ballot: Register | null;
}

export interface IfPart {
  readonly kind: "if";
  readonly then: readonly Part[];
  readonly otherwise: readonly Part[];
  readonly hasBarrier: boolean;
}

/** The last segment of the head ballots. */
export interface WhilePart {
  readonly kind: "while";
  readonly head: readonly Part[];
  readonly body: readonly Part[];
  readonly hasBarrier: boolean;
}

export type Part = Segment | IfPart | WhilePart | { readonly kind: "barrier" };

/** Cuts a body where warps branch or wait: a warp runs a segment without looking up. */
export function partsOf(instructions: readonly Instruction[], ballot: Register | null = null): readonly Part[] {
  const parts: Part[] = [];
  let straight: Straight[] = [];
  const close = (asked: Register | null): void => {
    if (straight.length > 0 || asked !== null) parts.push({ kind: "segment", instructions: straight, ballot: asked });
    straight = [];
  };
  for (const instruction of instructions) {
    if (instruction.kind === "if") {
      close(predicate(instruction.condition));
      const [then, otherwise] = [partsOf(instruction.then), partsOf(instruction.otherwise)];
      parts.push({ kind: "if", then, otherwise, hasBarrier: [...then, ...otherwise].some(waits) });
    } else if (instruction.kind === "while") {
      close(null);
      const head = partsOf(instruction.head, predicate(instruction.condition));
      const body = partsOf(instruction.body);
      parts.push({ kind: "while", head, body, hasBarrier: [...head, ...body].some(waits) });
    } else if (instruction.kind === "barrier") {
      close(null);
      parts.push({ kind: "barrier" });
    } else straight.push(instruction);
  }
  close(ballot);
  return parts;
}

/** Whether a warp may have to wait for others within this part. */
export const waits = (part: Part): boolean =>
  part.kind === "barrier" || ((part.kind === "if" || part.kind === "while") && part.hasBarrier);

function predicate(operand: { readonly kind: string }): Register {
  if (!isRegister(operand)) throw new TypeError("branch: expected a predicate in a register, got a constant");
  return operand;
}

const isRegister = (operand: { readonly kind: string }): operand is Register => operand.kind === "register";
