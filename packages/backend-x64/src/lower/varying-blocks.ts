import { integerTable, stream, type Blocks, type IntegerTable, type Stream } from "@stowage/ir";
import { MOST_IMMEDIATE } from "../widths.js";

/** What is made of nodes of blocks of varying length, once each. */
export class VaryingBlocks {
  readonly #starts = new WeakMap<Blocks, IntegerTable>();
  readonly #copies = new WeakMap<Blocks, Stream>();

  startsOf(node: Blocks): IntegerTable {
    const found = this.#starts.get(node) ?? packedStarts(node);
    this.#starts.set(node, found);
    return found;
  }

  /** The blocks of one as copies of its child: where a clipped or counted block goes on. */
  copiesIn(node: Blocks): Stream {
    const found = this.#copies.get(node) ?? stream(1, node.strideBytes, node.child);
    this.#copies.set(node, found);
    return found;
  }
}

/**
 * Packed start of each block of varying length, where the last one ends, and a byte more: where one that is not there
 * would.
 */
function packedStarts({ blocklengths, displacementsBytes, child }: Blocks): IntegerTable {
  const count = displacementsBytes.length;
  const wide = new Float64Array(count + 2);
  for (let i = 0; i < count; i++) {
    wide[i + 1] = (wide[i] as number) + (blocklengths === 1 ? 1 : (blocklengths[i] as number)) * child.sizeBytes;
  }
  wide[count + 1] = (wide[count] as number) + 1;
  return (wide[count + 1] as number) <= MOST_IMMEDIATE
    ? Int32Array.from(wide)
    : integerTable(count + 2, (i) => wide[i] as number);
}
