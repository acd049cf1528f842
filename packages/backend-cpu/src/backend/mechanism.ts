import type { Move } from "@stowage/backend-api";
import { Mover } from "../machine/mover.js";
import type { RunViews } from "../machine/run-views.js";
import type { Side } from "../machine/side.js";
import { Reducer } from "../reduce/reducer.js";

/** What walks both sides of a move, from where their states stand. */
export interface Mechanism {
  move(lengthBytes: number): void;
}

/** Bytes are moved, elements combined. */
export const mechanismOf = ({ reduction }: Move, source: Side, target: Side, views: RunViews): Mechanism =>
  reduction === undefined ? new Mover(source, target, views) : new Reducer(source, target, reduction);
