import type { Layout } from "@stowage/ir";
import type { Region, RegionMessage, Regions, RegionSide } from "../carriers/bound/regions.js";
import { coordsOf, rankAt } from "./halo-agreement.js";
import type { Halo } from "./halo-options.js";
import { directionsOf, regionOf } from "./halo-regions.js";

/** Regions start at lines of their own in the packed buffers, so that words stay wide. */
const LINE_BYTES = 64;

/** What a rank sends and receives. */
type HaloSides = Pick<Regions, "sent" | "received">;

/** With each neighbour that there is; a region without points is none. */
export function haloParts(halo: Halo, rank: number): HaloSides {
  const { sizes, periodic, grid } = halo;
  const own = coordsOf(rank, grid);
  const directions = directionsOf(sizes.length);
  const [sent, received]: [Unplaced[], Unplaced[]] = [[], []];
  directions.forEach((steps, direction) => {
    const place = own.map((coord, k) => coord + (steps[k] as number));
    const isOutside = place.some((coord, k) => periodic[k] !== true && (coord < 0 || coord >= (grid[k] as number)));
    const region = regionOf(halo, steps);
    if (isOutside || region.sent.sizeBytes === 0) return;
    const peer = rankAt(
      place.map((coord, k) => (coord + (grid[k] as number)) % (grid[k] as number)),
      grid,
    );
    const { datatype } = region;
    sent.push({ peer, number: direction, datatype, layout: region.sent });
    // What comes from there was sent in the opposite direction: directions are listed symmetrically.
    received.push({ peer, number: directions.length - 1 - direction, datatype, layout: region.received });
  });
  return { sent: placed(sent), received: placed(received) };
}

type Unplaced = Omit<Region, "at">;

/** Both ends of a message come to the same places in it: their regions have the same sizes in the same order. */
function placed(unplaced: readonly Unplaced[]): RegionSide {
  const ordered = [...unplaced].sort((a, b) => a.peer - b.peer || a.number - b.number);
  const regions: Region[] = [];
  const messages: RegionMessage[] = [];
  let at = 0;
  for (const region of ordered) {
    const last = messages.at(-1);
    const continues = last?.peer === region.peer;
    const message = continues ? (messages.pop() as RegionMessage) : { peer: region.peer, at, sizeBytes: 0 };
    const end = at + region.layout.sizeBytes;
    regions.push({ ...region, at });
    messages.push({ ...message, sizeBytes: end - message.at });
    at = Math.ceil(end / LINE_BYTES) * LINE_BYTES;
  }
  return { regions, messages, sizeBytes: at };
}

/** Where a region that is sent lies in its neighbour's array of so many points. */
export function ghostsOf(halo: Halo, sizes: readonly number[], { number }: Region): Layout {
  const directions = directionsOf(sizes.length);
  const back = directions[directions.length - 1 - number] as readonly number[];
  return regionOf({ ...halo, sizes }, back).received;
}
