import type { Transfer } from "../bind/transfer.js";
import type { BuiltIn } from "../kernel/generic-kernel.js";
import { canUnroll, sideText, type StaticSide } from "../kernel/static-walk.js";
import type { Payload } from "../payload.js";

/** Past this many layouts a kernel of their own is mostly code that is fetched once. */
const MOST_BUILT_IN = 32;

/** Layouts built into a kernel, each once; and of each transfer, which of them are its own. */
export interface BuiltInLayouts {
  readonly distinct: readonly BuiltIn[];
  readonly texts: readonly string[];
  readonly ofTransfers: readonly number[];
}

/** The layouts to build in; undefined where unrolling would be too long. */
export function builtInOf(
  transfers: readonly Transfer[],
  { lookaside, tableBits }: Payload,
): BuiltInLayouts | undefined {
  const distinct = new Map<string, BuiltIn>();
  const texts = transfers.map(({ encoded, root, mode }) => {
    const side = ({ nodes }: { nodes: Uint8Array }): StaticSide => ({ nodes, lookaside, root });
    const [source, target] = [side(encoded.source), side(encoded.target)];
    // A dense side's length is not built in.
    const textOf = (dense: boolean, each: StaticSide): string => (dense ? "dense" : sideText(each, tableBits));
    const text = [mode, textOf(encoded.source.dense, source), textOf(encoded.target.dense, target)].join();
    distinct.set(text, { mode, source, target });
    return text;
  });
  const keys = [...distinct.keys()];
  const builtIn = [...distinct.values()];
  const short = builtIn.every(({ source, target }) => canUnroll(source, tableBits) && canUnroll(target, tableBits));
  if (!short || builtIn.length > MOST_BUILT_IN) return undefined;
  return { distinct: builtIn, texts: keys, ofTransfers: texts.map((text) => keys.indexOf(text)) };
}
