import type { Datatype, Layout } from "@stowage/ir";
import { coordsOf, rankAt } from "./halo-agreement.js";
import type { Halo } from "./halo-options.js";
import { directionsOf, regionOf } from "./halo-regions.js";

/** Regions start at lines of their own in the packed buffers, so that words stay wide. */
const LINE_BYTES = 64;

/** A region that one neighbour gets or sends, and where it lies packed. */
export interface HaloPart {
  readonly neighbour: number;
  /** The direction in which its sender sends it, by number. */
  readonly direction: number;
  readonly layout: Layout;
  /** Of what is sent in that direction. */
  readonly datatype: Datatype;
  readonly at: number;
}

/** What one rank and another exchange: all regions between them lie side by side in the packed buffers. */
export interface HaloMessage {
  readonly neighbour: number;
  readonly at: number;
  readonly sizeBytes: number;
}

/** What goes out, or comes in, in the order of ranks; between two ranks in the order of its sender's directions. */
export interface HaloSide {
  readonly parts: readonly HaloPart[];
  readonly messages: readonly HaloMessage[];
  readonly sizeBytes: number;
}

export interface HaloSides {
  readonly sent: HaloSide;
  readonly received: HaloSide;
}

/** The messages of a side, but for those with a rank that needs none. */
export const messagesBut = ({ messages }: HaloSide, rank: number | undefined): readonly HaloMessage[] =>
  messages.filter(({ neighbour }) => neighbour !== rank);

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
    const neighbour = rankAt(
      place.map((coord, k) => (coord + (grid[k] as number)) % (grid[k] as number)),
      grid,
    );
    const { datatype } = region;
    sent.push({ neighbour, direction, datatype, layout: region.sent });
    // What comes from there was sent in the opposite direction: directions are listed symmetrically.
    received.push({ neighbour, direction: directions.length - 1 - direction, datatype, layout: region.received });
  });
  return { sent: placed(sent), received: placed(received) };
}

type Unplaced = Omit<HaloPart, "at">;

/** Both ends of a message come to the same places in it: their regions have the same sizes in the same order. */
function placed(unplaced: readonly Unplaced[]): HaloSide {
  const ordered = [...unplaced].sort((a, b) => a.neighbour - b.neighbour || a.direction - b.direction);
  const parts: HaloPart[] = [];
  const messages: HaloMessage[] = [];
  let at = 0;
  for (const part of ordered) {
    const last = messages.at(-1);
    const continues = last?.neighbour === part.neighbour;
    const message = continues ? (messages.pop() as HaloMessage) : { neighbour: part.neighbour, at, sizeBytes: 0 };
    const end = at + part.layout.sizeBytes;
    parts.push({ ...part, at });
    messages.push({ ...message, sizeBytes: end - message.at });
    at = Math.ceil(end / LINE_BYTES) * LINE_BYTES;
  }
  return { parts, messages, sizeBytes: at };
}
