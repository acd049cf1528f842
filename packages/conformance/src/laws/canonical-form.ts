import type { Backend } from "@stowage/backend-api";
import { lower, printDatatype, sameLayout, type Datatype, type Layout } from "@stowage/ir";
import { anyDatatype, anyLayout } from "@stowage/arbitraries";
import * as fc from "fast-check";
import { conditionsFor, transferFor, wholeOf } from "../cases/directed.js";
import { execute, kernelFor, requireSupport } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
import { anyPattern } from "../cases/trial.js";
import { require } from "../law-violation.js";
import type { Pattern } from "../memory/pattern.js";
import type { Entry } from "../reference/byte-map.js";
import { byteMapOfLayout } from "../reference/layout-walk.js";
import { referenceBounds } from "../reference/reference-bounds.js";
import { byteMapOfDatatype } from "../reference/reference-type-map.js";
import type { LawSettings } from "../settings.js";
import { assertOn, type Law } from "./law.js";

/** Entries in packed order, neighbours that touch made one: two maps move the same bytes where these are equal. */
function runsOf(entries: readonly Entry[]): Entry[] {
  const runs: { offsetBytes: number; lengthBytes: number }[] = [];
  for (const { offsetBytes, lengthBytes } of entries) {
    if (lengthBytes === 0) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.offsetBytes + last.lengthBytes === offsetBytes) last.lengthBytes += lengthBytes;
    else runs.push({ offsetBytes, lengthBytes });
  }
  return runs;
}

function requireSameBytes(actual: readonly Entry[], expected: readonly Entry[], what: string): void {
  const [ours, theirs] = [runsOf(actual), runsOf(expected)];
  const at = theirs.findIndex(
    (run, i) => run.offsetBytes !== ours[i]?.offsetBytes || run.lengthBytes !== ours[i]?.lengthBytes,
  );
  const differs = at >= 0 || ours.length !== theirs.length;
  require(!differs, `${what}: expected run ${at} to be ${JSON.stringify(theirs[at])}, got ${JSON.stringify(ours[at])}`);
}

/** Size, bounds and byte map of a layout must be those of another. */
function requireSameMeaning(actual: Layout, expected: Layout, what: string): void {
  requireSameBytes(byteMapOfLayout(actual).entries, byteMapOfLayout(expected).entries, what);
  const fields = ["sizeBytes", "lowerBoundBytes", "extentBytes", "trueLowerBoundBytes", "trueExtentBytes"] as const;
  for (const field of fields) {
    require(actual[field] === expected[field], `${field} ${what}: expected ${expected[field]}, got ${actual[field]}`);
  }
}

function requireLowered(datatype: Datatype, lowered: Layout): void {
  requireSameBytes(byteMapOfLayout(lowered).entries, byteMapOfDatatype(datatype).entries, "byte map after lowering");
  const bounds = referenceBounds(datatype);
  for (const field of ["sizeBytes", "lowerBoundBytes", "extentBytes"] as const) {
    require(lowered[field] ===
      bounds[field], `${field} after lowering: expected ${bounds[field]}, got ${lowered[field]}`);
  }
}

function keepsTheMap({ canonicalise }: LawSettings, plain: Layout): Layout {
  const onPass = (name: string, before: Layout, after: Layout): void =>
    requireSameMeaning(after, before, `after ${name}`);
  const canonical = canonicalise(plain, { onPass });
  requireSameMeaning(canonical, plain, "in canonical form");
  require(sameLayout(canonicalise(canonical), canonical), "canonical form: expected itself when canonicalised again");
  return canonical;
}

interface Canonicalising {
  readonly layout: Layout;
  readonly pattern: Pattern;
}

/** The backend, given the canonical form, packs the bytes of the plain one. */
function packsAlike(settings: LawSettings, backend: Backend, { layout, pattern }: Canonicalising): void {
  const canonical = keepsTheMap(settings, layout);
  const conditions = conditionsFor(settings, { direction: "pack", alignment: 1, count: "any" });
  const placing = { asSpace: false, padBytes: 16 };
  const subject = { layout: canonical, map: byteMapOfLayout(layout), [fc.toStringMethod]: () => "" };
  const trial = { subject, count: 2, scattered: placing, packed: placing, pattern };
  using resources = new Resources();
  const transfer = transferFor(settings, resources, trial, "pack", wholeOf(trial), 1);
  requireSupport(backend, [transfer.move], conditions);
  const plan = kernelFor(resources, backend, [transfer.move], conditions).bind([transfer.binding(wholeOf(trial))]);
  transfer.expect(wholeOf(trial));
  execute(settings, resources.hold(plan));
  const problem = transfer.problem();
  require(problem === undefined, `pack of the canonical form: ${problem}`);
}

export const CANONICAL_FORM: Law = {
  number: 4,
  title: "canonicalisation keeps the byte map in order, size and bounds; is idempotent; verifies after every pass",
  check: (settings) => {
    const { maxSizeBytes, maxReachBytes } = settings;
    const limits = { maxSizeBytes, maxReachBytes };
    const anySparse = anyDatatype({ ...limits, sparse: true }).map((datatype) => ({
      datatype,
      [fc.toStringMethod]: () => JSON.stringify(printDatatype(datatype)),
    }));
    assertOn(settings, "4 datatypes", anySparse, ({ datatype }) => {
      const lowered = lower(datatype);
      requireLowered(datatype, lowered);
      keepsTheMap(settings, lowered);
    });
    if (!settings.directions.includes("pack")) return;
    const anyCanonicalising = fc.record({ layout: anyLayout(limits), pattern: anyPattern });
    assertOn(settings, "4 layouts", anyCanonicalising, (input, backend) => packsAlike(settings, backend, input));
  },
};
