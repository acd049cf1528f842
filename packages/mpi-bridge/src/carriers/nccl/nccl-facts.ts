import { BridgeError } from "../../errors.js";

/** What a rank says of itself before ranks meet by NCCL; or why it cannot. */
export type NcclFacts = { readonly gpu: string; readonly version: string } | { readonly reason: string };

export const NCCL_FACTS_BYTES = 256;
const [ENCODER, DECODER] = [new TextEncoder(), new TextDecoder()];
const MOST_REASON = 220;

export function writeFacts(facts: NcclFacts): Uint8Array {
  const bytes = new Uint8Array(NCCL_FACTS_BYTES);
  const kept = "reason" in facts ? { reason: facts.reason.slice(0, MOST_REASON) } : facts;
  ENCODER.encodeInto(JSON.stringify(kept).replaceAll(/[^\x20-\x7e]/g, "?"), bytes);
  return bytes;
}

const factsOf = (all: Uint8Array, rank: number): NcclFacts =>
  JSON.parse(
    DECODER.decode(all.subarray(rank * NCCL_FACTS_BYTES, (rank + 1) * NCCL_FACTS_BYTES)).replace(/\0.*$/s, ""),
  ) as NcclFacts;

/** Why ranks cannot meet by NCCL, the same on all of them; undefined where they can. */
export function obstacle(all: Uint8Array): BridgeError | undefined {
  const ranks = all.length / NCCL_FACTS_BYTES;
  const [byGpu, versions] = [new Map<string, number>(), new Map<string, number>()];
  for (let rank = 0; rank < ranks; rank++) {
    const facts = factsOf(all, rank);
    if ("reason" in facts)
      return new BridgeError("NCCL among all ranks", "libnccl and a GPU", `${facts.reason} (rank ${rank})`);
    const twin = byGpu.get(facts.gpu);
    if (twin !== undefined)
      return new BridgeError(
        "NCCL among all ranks",
        "a GPU for each rank",
        `one of ranks ${twin} and ${rank}, ${facts.gpu}`,
      );
    byGpu.set(facts.gpu, rank);
    versions.set(facts.version, rank);
  }
  if (versions.size === 1) return undefined;
  const got = [...versions].map(([version, rank]) => `${version} on rank ${rank}`).join(", ");
  return new BridgeError("NCCL among all ranks", "one version", got);
}
