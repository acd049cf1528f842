import type { Register } from "../ir/index.js";
import { operandsRead, registersWritten } from "../ir/operands.js";
import type { Part, Segment } from "./parts.js";

/**
 * The registers that outlive a segment: read where another segment (or an earlier round of the same one) wrote
 * them. Each gets a slot in its warp's frame, by register id; all others stay locals of one lane's run.
 */
export function keptRegisters(parts: readonly Part[]): ReadonlyMap<number, number> {
  const home = new Map<number, number>();
  const kept = new Set<number>();
  let place = 0;
  eachSegment(parts, (segment) => {
    const written = new Set<number>();
    const touch = ({ id }: Register): void => {
      const known = home.get(id);
      if (known !== undefined && known !== place) kept.add(id);
      home.set(id, place);
    };
    const read = (register: Register): void => {
      if (!written.has(register.id)) kept.add(register.id);
      touch(register);
    };
    for (const instruction of segment.instructions) {
      for (const operand of operandsRead(instruction)) if (operand.kind === "register") read(operand);
      for (const register of registersWritten(instruction)) {
        written.add(register.id);
        touch(register);
      }
    }
    if (segment.ballot !== null) read(segment.ballot);
    place++;
  });
  return new Map([...kept].map((id, slot) => [id, slot]));
}

export function eachSegment(parts: readonly Part[], visit: (segment: Segment) => void): void {
  for (const part of parts) {
    if (part.kind === "segment") visit(part);
    if (part.kind === "if") [part.then, part.otherwise].forEach((list) => eachSegment(list, visit));
    if (part.kind === "while") [part.head, part.body].forEach((list) => eachSegment(list, visit));
  }
}
