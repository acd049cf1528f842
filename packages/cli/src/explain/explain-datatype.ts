import { compileDame, printDame } from "@stowage/backend-cpu";
import {
  boundsOf,
  canonicalise,
  lower,
  printDatatypeText,
  printLayout,
  printSignature,
  runs,
  signatureOf,
  stridedBlock,
  type Layout,
  type StridedBlock,
} from "@stowage/ir";
import type { Engine } from "@stowage/selector";
import type { NamedType } from "../type-argument.js";
import type { DeviceAccesses } from "./device-accesses.js";
import { choicesFor, type MemoryChoice } from "./memory-choice.js";

/** All that `stowage explain` tells of a datatype. */
export interface Explanation {
  readonly name: string;
  readonly count: number;
  /** As JSON text: a document may be nested deeper than JSON.stringify reaches. */
  readonly document: string;
  readonly bounds: ReturnType<typeof boundsOf>;
  readonly signature: { readonly elements: number; readonly text: string };
  /** The layout as lowered, then after each pass that changed it. */
  readonly passes: readonly { readonly name: string; readonly layout: string }[];
  readonly stridedBlock: StridedBlock | null;
  readonly dame: string;
  readonly blocks: BlockSummary;
  readonly choices: readonly MemoryChoice[];
  /** Present where a GPU was simulated. */
  readonly deviceAccesses?: DeviceAccesses;
  readonly layout: Layout;
}

export interface BlockSummary {
  readonly count: number;
  readonly firstBlocks: readonly { readonly offsetBytes: number; readonly lengthBytes: number }[];
}

const BLOCKS_SHOWN = 8;

export function explainDatatype({ name, datatype, count }: NamedType, engine: Engine): Explanation {
  const lowered = lower(datatype);
  const passes = [{ name: "lower", layout: printLayout(lowered) }];
  const onPass = (pass: string, _before: Layout, after: Layout): void => {
    passes.push({ name: pass, layout: printLayout(after) });
  };
  const layout = canonicalise(lowered, { onPass });
  const signature = signatureOf(datatype);
  return {
    name,
    count,
    document: printDatatypeText(datatype),
    bounds: boundsOf(datatype),
    signature: { elements: signature.elements, text: printSignature(signature) },
    passes,
    stridedBlock: stridedBlock(layout) ?? null,
    dame: printDame(compileDame(layout)),
    blocks: summariseBlocks(layout),
    choices: choicesFor(layout, engine),
    layout,
  };
}

function summariseBlocks(layout: Layout): BlockSummary {
  const firstBlocks = [];
  for (const block of runs(layout, { count: 1, first: 0, length: layout.sizeBytes })) {
    if (firstBlocks.length === BLOCKS_SHOWN) break;
    firstBlocks.push({ ...block });
  }
  return { count: layout.root.blockCount, firstBlocks };
}
