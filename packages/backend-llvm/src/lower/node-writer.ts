import type { Direction } from "@stowage/backend-api";
import type { LayoutNode, Stream } from "@stowage/ir";
import type { Run } from "./copy.js";
import type { FunctionWriter, Value } from "./function-writer.js";
import type { Body, ModuleWriter } from "./module-writer.js";

/** Where a node lies: its zero in memory, and where its packed stream begins. */
export interface Spot {
  readonly scattered: string;
  readonly packed: string;
}

/** The parameters of a node's function. */
export const PARAMETERS: Spot = { scattered: "%scattered", packed: "%packed" };

export const moved = (f: FunctionWriter, { scattered, packed }: Spot, s: Value, p: Value): Spot => ({
  scattered: f.at(scattered, s),
  packed: f.at(packed, p),
});

/** What is written for. */
export interface Facts {
  readonly direction: Exclude<Direction, "copy" | "reduce">;
  /** What divides the address and the length of every run of both sides. */
  readonly alignment: number;
}

/** Writes moves of the nodes of one layout, in one direction. */
export interface NodeWriter {
  readonly module: ModuleWriter;
  readonly facts: Facts;
  /** The name of the function of a node that `kind` tells from others of it; `body` writes it, once. */
  functionOf(node: LayoutNode, kind: string, body: Body): string;
  /** Both ends of a run, whichever side is the source. */
  run(spot: Spot): Run;
  /** A whole node. */
  whole(f: FunctionWriter, node: LayoutNode, spot: Spot): void;
  /** Children [from, to) of a stream, which may have more than its count says. */
  children(f: FunctionWriter, node: Stream, spot: Spot, from: Value, to: Value): void;
  /** Bytes [low, high) of the packed stream of a node, low < high. */
  clip(f: FunctionWriter, node: LayoutNode, spot: Spot, low: Value, high: Value): void;
  /** Moves that a node takes. */
  movesOf(node: LayoutNode): number;
}
