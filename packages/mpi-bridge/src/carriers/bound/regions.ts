import type { Span } from "@stowage/backend-api";
import type { Datatype, Layout } from "@stowage/ir";

/** Elements that one rank sends another, or gets from it, and where they lie packed. */
export interface Region {
  readonly peer: number;
  /** Tells the regions between two ranks apart: the same at both ends. */
  readonly number: number;
  readonly layout: Layout;
  /** The datatype of what is sent. */
  readonly datatype: Datatype;
  readonly at: number;
}

/** All regions between two ranks, side by side in packed memory. */
export interface RegionMessage {
  readonly peer: number;
  readonly at: number;
  readonly sizeBytes: number;
}

/** What goes out, or comes in, in the order of ranks; between two ranks in the order of numbers. */
export interface RegionSide {
  readonly regions: readonly Region[];
  readonly messages: readonly RegionMessage[];
  readonly sizeBytes: number;
}

/** Regions of one memory that go together, again and again, of which both ends know all: those of a halo. */
export interface Regions {
  readonly span: Span;
  readonly sent: RegionSide;
  readonly received: RegionSide;
  /** Where a region that is sent comes to lie in its receiver's memory. */
  layoutAtPeer(region: Region): Layout;
}

/** The messages of a side, but for those with a rank that needs none. */
export const messagesBut = ({ messages }: RegionSide, rank: number | undefined): readonly RegionMessage[] =>
  messages.filter(({ peer }) => peer !== rank);
