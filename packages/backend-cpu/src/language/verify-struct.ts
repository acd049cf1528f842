import { fault, type Fault } from "./fault.js";
import type { Primitive, Struct } from "./primitive.js";
import type { DameProgram } from "./program.js";
import { entryOf, innerIndex, typeSizeBytes } from "./type-size.js";

/**
 * Checks the STRUCTs of one program. A member's subprogram stands under its STRUCT, or ended before it: so no chain of
 * calls comes back. All members that share one agree on its size; where it counts copies, on the extent too, and
 * where it does not, each of them has one copy.
 */
export function structVerifier(program: DameProgram): (struct: Struct, index: number) => Fault | undefined {
  const endOf = subprogramEnds(program);
  const extents = new Map<number, number>();
  return (struct, index) => {
    const { count, subprograms } = struct;
    if (subprograms.length !== count) return fault("subprograms", `${count} entries`, subprograms.length);
    const short = faultOfEntries(struct);
    if (short) return short;
    for (let member = 0; member < count; member++) {
      const at = subprograms[member] as number;
      const subprogram = program.primitives[at];
      const own = subprogram?.kind === "RETURNTO" && subprogram.struct === index;
      if (!own && !((endOf.get(at) ?? Infinity) < index)) {
        return fault(`subprograms[${member}]`, "a RETURNTO of this STRUCT or of one that ended before it", at);
      }
      const found = faultOfMember(program, struct, member, at, extents);
      if (found) return found;
    }
    return undefined;
  };
}

/** For each RETURNTO, the index of its BOTTOM. */
function subprogramEnds({ primitives }: DameProgram): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  primitives.forEach(({ kind }, index) => {
    if (kind === "EXIT" || kind === "RETURNTO") open.push(index);
    if (kind !== "BOTTOM") return;
    const opened = open.pop() as number;
    if (primitives[opened]?.kind === "RETURNTO") ends.set(opened, index);
  });
  return ends;
}

function faultOfEntries({ count, sizesBytes, extentsBytes }: Struct): Fault | undefined {
  for (const [name, table] of Object.entries({ sizesBytes, extentsBytes })) {
    if (table.length !== 1 && table.length !== count) return fault(name, `1 or ${count} entries`, table.length);
  }
  return undefined;
}

function faultOfMember(
  program: DameProgram,
  { blocklengths, sizesBytes, extentsBytes }: Struct,
  member: number,
  at: number,
  extents: Map<number, number>,
): Fault | undefined {
  const inner = innerIndex(program, at);
  const innerBytes = typeSizeBytes(program.primitives[inner] as Primitive);
  const sizeBytes = entryOf(sizesBytes, member);
  if (sizeBytes !== innerBytes) return fault(`sizesBytes[${member}]`, `${innerBytes}, the inner type's`, sizeBytes);
  const blocklength = blocklengths[member] as number;
  const countsCopies = inner === at + 2;
  if (!countsCopies) {
    return blocklength === 1 ? undefined : fault(`blocklengths[${member}]`, "1 without a CONTIGCHILD", blocklength);
  }
  const extentBytes = entryOf(extentsBytes, member);
  const shared = extents.get(at) ?? extentBytes;
  extents.set(at, shared);
  return shared === extentBytes ? undefined : fault(`extentsBytes[${member}]`, `${shared}, as before`, extentBytes);
}
