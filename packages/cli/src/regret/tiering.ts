import type { Profile } from "@stowage/backend-api";
import { modeOf, type ResultRow } from "@stowage/bench";
import type { DeviceRoute } from "@stowage/bench/device";
import type { Layout } from "@stowage/ir";
import { chooserByCost } from "@stowage/selector";
import { conditionsOf, type MeasuredBackend } from "../calibrate/candidates.js";
import { moveOf } from "./predicted-row.js";

/** A tier as an engine goes through them: who, and after how many uses the next is compiled. */
export interface TierUses {
  readonly contender: string;
  readonly uses: number;
}

/** The tiers that an engine would go through with calls of so many elements, whose number it is not told. */
export function tiersOf(
  candidates: readonly MeasuredBackend[],
  layout: Layout,
  { direction, count }: { readonly direction: "pack" | "unpack"; readonly count: number },
  route: "host" | DeviceRoute,
  profile: Profile,
): readonly TierUses[] {
  const alone = candidates.filter(({ threads }) => threads === 1);
  const backends = alone.map(({ backend }) => backend);
  const given = conditionsOf({ direction, count }, route);
  const choice = chooserByCost(() => profile)(backends, [moveOf(direction, layout)], given);
  const tiers = choice.courses?.[0]?.tiers ?? [];
  if (tiers.length === 0) return [{ contender: choice.chosen.name, uses: Infinity }];
  return tiers.map(({ backend }, i) => {
    const next = tiers[i + 1];
    if (next === undefined) return { contender: backend.name, uses: Infinity };
    const saved = next.savedNsPerCall + count * next.savedNsPerElement;
    return { contender: backend.name, uses: saved > 0 ? Math.ceil(next.commitNs / saved) : Infinity };
  });
}

/** What so many uses took that went through the tiers, and who the last was; undefined where one was not measured. */
export function tieredTime(
  tiers: readonly TierUses[],
  rows: readonly ResultRow[],
  uses: number,
): { readonly ns: number; readonly last: string } | undefined {
  let [ns, left, last] = [0, uses, ""];
  for (const { contender, uses: most } of tiers) {
    if (left <= 0) break;
    const row = rows.find((each) => each.contender === contender && modeOf(each) === modeOf(rows[0] as ResultRow));
    if (row === undefined) return undefined;
    const here = Math.min(left, most);
    ns += row.commitNs + here * row.medianNs;
    left -= here;
    last = contender;
  }
  return { ns, last };
}
