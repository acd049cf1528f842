import { supportOf, type Backend, type Binding, type Kernel } from "@stowage/backend-api";
import * as fc from "fast-check";
import { requireRefused } from "../bad-input/refusal.js";
import { execute, executeCall, kernelFor } from "../cases/kernel-for.js";
import { Resources } from "../cases/resources.js";
import { anyTabled, TabledTransfer, type Tabled } from "../cases/tabling.js";
import { require } from "../law-violation.js";
import type { Range } from "../reference/byte-map.js";
import type { LawSettings } from "../settings.js";
import { assertOn, type Law } from "./law.js";

/** The whole stream where its count lies in memory; else both parts, the later one first where the cut is odd. */
function rangesOf({ elements, fewer, cut }: Tabled, sizeBytes: number): readonly Range[] {
  const length = elements * sizeBytes;
  if (fewer !== undefined) return [{ count: elements, first: 0, length }];
  const at = cut % (length + 1);
  const parts = [
    { count: elements, first: 0, length: at },
    { count: elements, first: at, length: length - at },
  ];
  return cut % 2 === 0 ? parts : parts.reverse();
}

function moves(settings: LawSettings, tabled: Tabled, backend: Backend): void {
  using resources = new Resources();
  const tabledTransfer = new TabledTransfer(settings, resources, tabled);
  const conditions = tabledTransfer.conditions(settings);
  fc.pre(supportOf(backend, [tabledTransfer.move], conditions).ok);
  const kernel = kernelFor(resources, backend, [tabledTransfer.move], conditions);
  const ranges = rangesOf(tabled, tabledTransfer.sizeBytes);
  const plan = resources.hold(kernel.bind([tabledTransfer.binding(ranges[0] as Range)]));
  for (const range of ranges) {
    const binding = tabledTransfer.binding(range);
    tabledTransfer.expect(range);
    if (tabled.mode === "call") executeCall(settings, resources, kernel, binding);
    else if (tabled.mode === "bind") execute(settings, resources.hold(kernel.bind([binding])));
    else {
      plan.rebind(0, binding);
      execute(settings, plan);
    }
    const problem = tabledTransfer.problem();
    require(problem === undefined, `range [${range.first}, ${range.first + range.length}), ${tabled.mode}: ${problem}`);
  }
  refusesBadTables(kernel, tabledTransfer.binding(ranges[0] as Range));
  const problem = tabledTransfer.problem();
  require(problem === undefined, `refused tables: ${problem}`);
}

/** A table that is missing, or too short, is refused; so is one of a side that has none. */
function refusesBadTables(kernel: Kernel, binding: Binding): void {
  const { source, target } = binding.tables ?? {};
  const present = source === undefined ? "target" : "source";
  const span = source ?? target;
  if (span === undefined || binding.count === 0) return;
  const short = { ...span, originBytes: span.originBytes + 8 };
  for (const tables of [{}, { ...binding.tables, [present]: short }]) {
    requireRefused("tables that do not fit", ["BindingError"], () => {
      kernel.bind([{ ...binding, tables }])[Symbol.dispose]();
    });
  }
}

/** Whoever declares no moves with tables is handed none, whatever its supports() says of what it does not know. */
function isDeclared(settings: LawSettings, tabled: Tabled, backend: Backend): void {
  using resources = new Resources();
  const transfer = new TabledTransfer(settings, resources, tabled);
  const support = supportOf(backend, [transfer.move], transfer.conditions(settings));
  require(support.ok || /^\S[^\n]*$/.test(support.reason), "reason against tables: expected one line");
  require(backend.tables === true || !support.ok, `tables of ${backend.name}: expected a refusal, got a yes`);
}

export const TABLES: Law = {
  number: 12,
  title: "a displacement table given at binding moves what the datatype with that table moves, or is refused",
  check: (settings) => {
    const few = { ...settings, runs: Math.ceil(settings.runs / 20) };
    assertOn(few, "12 declared", anyTabled(settings), (tabled, backend) => isDeclared(settings, tabled, backend));
    if (settings.factory().tables !== true) return;
    assertOn(settings, "12 moves", anyTabled(settings), (tabled, backend) => moves(settings, tabled, backend));
  },
};
