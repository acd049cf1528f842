import { fault, type Fault } from "./fault.js";
import type { Primitive, Struct } from "./primitive.js";
import type { DameProgram } from "./program.js";
import { entryOf, innerIndex, typeSizeBytes } from "./type-size.js";

/**
 * Checks the STRUCTs of one program. A member's subprogram ends before the subprogram that the STRUCT stands in: so
 * along any chain of calls the ends fall, and no chain comes back. All members that share one agree on its size; where
 * it counts copies, on the extent too, and where it does not, each of them has one copy.
 */
export function structVerifier(program: DameProgram): (struct: Struct, index: number) => Fault | undefined {
  const { endOf, around } = subprogramEnds(program);
  const extents = new Map<number, number>();
  return (struct, index) => {
    const { count, subprograms } = struct;
    if (subprograms.length !== count) return fault("subprograms", `${count} entries`, subprograms.length);
    const short = faultOfEntries(struct);
    if (short) return short;
    const enclosingEnd = endOf.get(around.get(index) as number) as number;
    for (let member = 0; member < count; member++) {
      const at = subprograms[member] as number;
      if (program.primitives[at]?.kind !== "RETURNTO" || !((endOf.get(at) as number) < enclosingEnd)) {
        return fault(`subprograms[${member}]`, "a RETURNTO whose subprogram ends before the one around", at);
      }
      const found = faultOfMember(program, struct, member, at, extents);
      if (found) return found;
    }
    return undefined;
  };
}

interface Ends {
  /** For each EXIT and RETURNTO, the index of its BOTTOM. */
  readonly endOf: ReadonlyMap<number, number>;
  /** For each STRUCT, the EXIT or RETURNTO of the subprogram that it stands in. */
  readonly around: ReadonlyMap<number, number>;
}

function subprogramEnds({ primitives }: DameProgram): Ends {
  const endOf = new Map<number, number>();
  const around = new Map<number, number>();
  const open: number[] = [];
  primitives.forEach(({ kind }, index) => {
    if (kind === "STRUCT") around.set(index, open.at(-1) as number);
    if (kind === "EXIT" || kind === "RETURNTO") open.push(index);
    if (kind === "BOTTOM") endOf.set(open.pop() as number, index);
  });
  return { endOf, around };
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
