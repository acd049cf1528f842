import type { Kernel } from "@stowage/backend-api";
import * as fc from "fast-check";
import { require } from "../law-violation.js";
import type { Range } from "../reference/byte-map.js";
import type { LawSettings } from "../settings.js";
import { execute, executeCall } from "./kernel-for.js";
import type { Resources } from "./resources.js";
import type { Transfer } from "./transfer.js";

/** How ranges are moved: each bound anew, one plan bound again and again, a call each, or all in one launch. */
export type Mode = "bind" | "rebind" | "call" | "launch";

export const anyMode: fc.Arbitrary<Mode> = fc.constantFrom("bind", "rebind", "call", "launch");

export interface Run {
  readonly settings: LawSettings;
  readonly resources: Resources;
  readonly transfer: Transfer;
  readonly kernel: Kernel;
  readonly ranges: readonly Range[];
}

const MODES: Readonly<Record<Mode, (run: Run) => void>> = {
  bind: ({ settings, resources, transfer, kernel, ranges }) => {
    for (const range of ranges) {
      transfer.expect(range);
      execute(settings, resources.hold(kernel.bind([transfer.binding(range)])));
      requireRight(transfer, "bound", range);
    }
  },
  rebind: ({ settings, resources, transfer, kernel, ranges }) => {
    const nothing = { ...ranges[0], count: ranges[0]?.count ?? 0, first: 0, length: 0 };
    const plan = resources.hold(kernel.bind([transfer.binding(nothing)]));
    for (const range of ranges) {
      transfer.expect(range);
      plan.rebind(0, transfer.binding(range));
      execute(settings, plan);
      requireRight(transfer, "bound again", range);
    }
  },
  call: ({ settings, resources, transfer, kernel, ranges }) => {
    for (const range of ranges) {
      transfer.expect(range);
      executeCall(settings, resources, kernel, transfer.binding(range));
      requireRight(transfer, "called", range);
    }
  },
  launch: ({ settings, resources, transfer, kernel, ranges }) => {
    for (const range of ranges) transfer.expect(range);
    execute(settings, resources.hold(kernel.bind(ranges.map((range) => transfer.binding(range)))));
    const problem = transfer.problem();
    require(problem === undefined, `${ranges.length} ranges in one launch: ${problem}`);
  },
};

function requireRight(transfer: Transfer, how: string, { first, length }: Range): void {
  const problem = transfer.problem();
  require(problem === undefined, `range [${first}, ${first + length}) ${how}: ${problem}`);
}

/** Moves the ranges one after another, or at once, and looks at both sides after each. */
export const moveRanges = (mode: Mode, run: Run): void => MODES[mode](run);
