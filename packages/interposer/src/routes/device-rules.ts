import { byLengths } from "./by-lengths.js";
import type { DeviceRoute } from "./device-times.js";

/**
 * Messages of so many packed bytes and more, in blocks of so many bytes and more; of rules that fit the last counts.
 */
export interface DeviceRule {
  readonly bytes: number;
  readonly blockBytes: number;
  readonly route: DeviceRoute;
}

/** What a message takes by a route; Infinity: it does not go by it. */
export type TimeOf = (route: DeviceRoute, bytes: number, blockBytes: number) => number;

const SIZES = Array.from({ length: 19 }, (_, i) => 2 ** (10 + i));
/** Lengths that are predicted, each for blocks from there to the next. */
const BLOCKS = [8, 64, 512, 4096];
/** Predictions are not so good that less than this counts against one launch. */
const WORTH = 0.95;

type Whole = Exclude<DeviceRoute, "pipelined">;

/**
 * By sizes, and by blocks where they make a difference. A rule of pieces is behind that of bytes that are wanted at
 * once.
 */
export const deviceRules = (timeOf: TimeOf): readonly DeviceRule[] =>
  byLengths(BLOCKS, (blockBytes) => rulesOfBlocks(timeOf, blockBytes)).flatMap(({ least, changes }) =>
    changes.map((change) => ({ ...change, blockBytes: least })),
  );

function rulesOfBlocks(timeOf: TimeOf, blockBytes: number): readonly Omit<DeviceRule, "blockBytes">[] {
  const rules: Omit<DeviceRule, "blockBytes">[] = [];
  let before: { readonly whole?: Whole; readonly isPipelined: boolean } = { isPipelined: false };
  for (const [i, size] of SIZES.entries()) {
    const bytes = i === 0 ? 0 : size;
    const [oneShot, device, pipelined] = (["one-shot", "device", "pipelined"] as const).map((route) =>
      timeOf(route, size, blockBytes),
    ) as [number, number, number];
    const whole = device < WORTH * oneShot ? "device" : "one-shot";
    const isPipelined = pipelined < WORTH * Math.min(oneShot, device);
    if (whole === before.whole && isPipelined === before.isPipelined) continue;
    if (whole !== before.whole || !isPipelined) rules.push({ bytes, route: whole });
    if (isPipelined) rules.push({ bytes, route: "pipelined" });
    before = { whole, isPipelined };
  }
  return rules;
}
