import { conditions, packMove } from "@stowage/backend-api";
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
import { choose, type Engine } from "@stowage/selector";
import type { NamedType } from "../type-argument.js";

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
  readonly backends: readonly { readonly name: string; readonly verdict: string }[];
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
    backends: verdicts(layout, engine),
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

function verdicts(layout: Layout, engine: Engine): Explanation["backends"] {
  const { chosen, reason, candidates } = choose(engine.backends, [packMove(layout)], conditions());
  return candidates.map(({ backend: { name }, support }) => ({
    name,
    verdict: name === chosen.name ? `chosen: ${reason}` : support.ok ? "could take it" : `no: ${support.reason}`,
  }));
}
