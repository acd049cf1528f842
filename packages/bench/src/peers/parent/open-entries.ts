import type { CellSpec } from "../protocol.js";
import type { Entry } from "./entry.js";
import { PeerError, type PeerChild } from "./peer-child.js";

/** Opens a cell in every contender; in `remarks`, why some do not take part, or not in every way. */
export async function openEntries(
  cell: CellSpec,
  children: readonly PeerChild[],
  remarks: Set<string>,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const child of children.filter(({ alive }) => alive)) {
    try {
      const { variants, refusals } = await child.ask({ ask: "open", cell });
      for (const refusal of refusals) remarks.add(`${child.name}: ${refusal}`);
      variants.forEach(({ name: contender, mode }, variant) =>
        entries.push({ child, variant, contender, mode, samplesNs: [], created: [], out: false }),
      );
    } catch (error) {
      if (!(error instanceof PeerError)) throw error;
      remarks.add(error.message);
    }
  }
  return entries;
}
