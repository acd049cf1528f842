import type { HostBuffer, Move } from "@stowage/backend-api";
import { DameState } from "../machine/dame-state.js";
import { regionOf, type HostMemory } from "../machine/host-memory.js";
import type { LoadedDame } from "../machine/load-dame.js";
import { RunViews } from "../machine/run-views.js";
import { Side } from "../machine/side.js";
import { mechanismOf, type Mechanism } from "./mechanism.js";

/** A move and its two programs, ready to run. */
export interface LoadedMove {
  readonly move: Move;
  readonly source: LoadedDame;
  readonly target: LoadedDame;
}

/** One move's programs on their memory, and what moves bytes from the one to the other; made once. */
export class MoveMachine {
  readonly source: Side;
  readonly target: Side;
  readonly views = new RunViews();
  readonly mover: Mechanism;

  constructor({ move, source, target }: LoadedMove, from: HostMemory, to: HostMemory) {
    this.source = new Side(new DameState(source), from);
    this.target = new Side(new DameState(target), to);
    this.mover = mechanismOf(move, this.source, this.target, this.views);
  }

  /** Other buffers take the place of those that it has. */
  hold(source: HostBuffer, target: HostBuffer): void {
    this.source.hold(regionOf(source));
    this.target.hold(regionOf(target));
  }

  /** Both programs to a range of so many elements, each where its datatype's address 0 lies. */
  seek(count: number, first: number, sourceOrigin: number, targetOrigin: number): void {
    this.source.state.seek(count, first, sourceOrigin);
    this.target.state.seek(count, first, targetOrigin);
  }
}
