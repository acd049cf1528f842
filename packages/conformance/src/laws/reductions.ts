import { ELEMENTS, supportOf, type Backend, type Kernel, type Reduction } from "@stowage/backend-api";
import * as fc from "fast-check";
import { requireRefused } from "../bad-input/refusal.js";
import { conditionsFor } from "../cases/directed.js";
import { execute, executeCall } from "../cases/kernel-for.js";
import { anyReducing, rangesOf, ReducingTransfer, reductionFor, type Reducing } from "../cases/reducing.js";
import { Resources } from "../cases/resources.js";
import { require } from "../law-violation.js";
import type { LawSettings } from "../settings.js";
import { assertOn, type Law } from "./law.js";

function reduces(settings: LawSettings, reducing: Reducing, disjoint: boolean, backend: Backend): void {
  const reduction = reductionFor(reducing, disjoint);
  using resources = new Resources();
  const transfer = new ReducingTransfer(settings, resources, reducing, reduction);
  const conditions = conditionsFor(settings, { direction: "unpack", alignment: 1, count: "any" });
  fc.pre(supportOf(backend, [transfer.move], conditions).ok);
  const kernel = transfer.kernel(settings, resources, backend);
  const ranges = rangesOf(reducing, reduction);
  const nothing = { count: reducing.trial.count, first: 0, length: 0 };
  const plan = resources.hold(kernel.bind([transfer.transfer.binding(nothing)]));
  for (const range of ranges) {
    const binding = transfer.transfer.binding(range);
    transfer.expect(range);
    if (reducing.mode === "call") executeCall(settings, resources, kernel, binding);
    else if (reducing.mode === "bind") execute(settings, resources.hold(kernel.bind([binding])));
    else {
      plan.rebind(0, binding);
      execute(settings, plan);
    }
    const problem = transfer.problem();
    const what = `${reduction.op} of ${reduction.element}, range [${range.first}, ${range.first + range.length})`;
    require(problem === undefined, `${what}, ${reducing.mode}: ${problem}`);
  }
  requireWholeElements(reducing, reduction, transfer, kernel);
}

/** A range that cuts an element is refused, and not one byte is written. */
function requireWholeElements(
  { trial }: Reducing,
  { element }: Reduction,
  reduced: ReducingTransfer,
  kernel: Kernel,
): void {
  const lengthBytes = trial.count * trial.subject.map.sizeBytes;
  if (ELEMENTS[element].sizeBytes === 1 || lengthBytes === 0) return;
  for (const [first, length] of [[1, lengthBytes - 1] as const, [0, lengthBytes - 1] as const]) {
    requireRefused(`range of [${first}, ${first + length})`, ["BindingError"], () => {
      kernel.bind([reduced.transfer.binding({ count: trial.count, first, length })])[Symbol.dispose]();
    });
  }
  const problem = reduced.problem();
  require(problem === undefined, `refused range: ${problem}`);
}

/** Whoever declares no reducing moves is handed none, whatever its supports() says of what it does not know. */
function isDeclared(settings: LawSettings, reducing: Reducing, backend: Backend): void {
  using resources = new Resources();
  const { move } = new ReducingTransfer(settings, resources, reducing, reductionFor(reducing, false));
  const conditions = conditionsFor(settings, { direction: "unpack", alignment: 1, count: "any" });
  const support = supportOf(backend, [move], conditions);
  require(support.ok || /^\S[^\n]*$/.test(support.reason), "reason against a reduction: expected one line");
  require(backend.reduces === true || !support.ok, `reductions of ${backend.name}: expected a refusal, got a yes`);
}

export const REDUCTIONS: Law = {
  number: 11,
  title: "reductions combine as a plain loop does, in packed order, or are not declared and refused",
  check: (settings) => {
    assertOn(share(settings, 20), "11 declared", anyReducing(settings, false), (reducing, backend) =>
      isDeclared(settings, reducing, backend),
    );
    if (settings.factory().reduces !== true) return;
    for (const disjoint of [true, false]) {
      const part = `11 ${disjoint ? "apart" : "in order"}`;
      assertOn(share(settings, 4), part, anyReducing(settings, disjoint), (reducing, backend) =>
        reduces(settings, reducing, disjoint, backend),
      );
    }
  },
};

/** One of so many cases: walking layouts is what the other laws are for. */
const share = (settings: LawSettings, of: number): LawSettings => ({
  ...settings,
  runs: Math.ceil(settings.runs / of),
});
