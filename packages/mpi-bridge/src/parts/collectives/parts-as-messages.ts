import type { Elements } from "../../message/place/message.js";
import type { BridgeType } from "../../message/datatype/bridge-type.js";
import type { Context } from "../../message/context.js";
import type { Parts, TypedParts } from "./collective-buffers.js";
import { requireIntegers, requireLength, requireParts, runningSums } from "./collective-sides.js";
import type { PeerMessages } from "./peer-exchange.js";

/** Parts for all ranks as a message for each that gets any. */
export function messagesOf({ types, places }: Context, parts: Parts, ranks: number): PeerMessages {
  const { buffer, datatype, counts } = requireParts(parts);
  requireLength("counts", counts, ranks);
  const { displacements = runningSums(counts) } = parts;
  requireLength("displacements", displacements, ranks);
  requireIntegers("displacements", displacements);
  const type = types.of(datatype);
  const base = places.at(buffer, type, 0);
  return new Map(
    counts.flatMap((count, rank) =>
      count === 0 ? [] : [[rank, elementsAt(base, type, count, (displacements[rank] as number) * type.extentBytes)]],
    ),
  );
}

/** The messages of parts that have datatypes of their own. */
export function typedMessagesOf({ types, places }: Context, parts: TypedParts, ranks: number): PeerMessages {
  const { buffer, datatypes, counts, displacementsBytes } = requireParts(parts);
  for (const [name, list] of Object.entries({ datatypes, counts, displacementsBytes }))
    requireLength(name, list, ranks);
  requireIntegers("displacementsBytes", displacementsBytes);
  return new Map(
    counts.flatMap((count, rank) => {
      if (count === 0) return [];
      const type = types.of(datatypes[rank] as TypedParts["datatypes"][number]);
      return [[rank, elementsAt(places.at(buffer, type, 0), type, count, displacementsBytes[rank] as number)]];
    }),
  );
}

function elementsAt(
  { buffer, originBytes }: ReturnType<Context["places"]["at"]>,
  datatype: BridgeType,
  count: number,
  atBytes: number,
): Elements {
  return { buffer: { memory: buffer, originBytes: originBytes + atBytes }, datatype, count };
}
