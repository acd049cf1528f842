import type { Artifact, Backend, Binding, Buffer, Plan } from "@stowage/backend-api";
import * as fc from "fast-check";
import { execute } from "../cases/kernel-for.js";
import type { LawSettings } from "../settings.js";
import { requireRefused } from "./refusal.js";
import type { Fixture } from "./fixture.js";

interface Misusing {
  readonly settings: LawSettings;
  readonly backend: Backend;
  readonly fixture: Fixture;
}

/** A good binding, used as none may be. */
export interface Misuse {
  readonly what: string;
  readonly commit: (misusing: Misusing) => void;
}

function withPlan({ fixture }: Misusing, use: (plan: Plan, good: Binding) => void): void {
  using plan = fixture.parts.kernel.bind([fixture.binding]);
  use(plan, fixture.binding);
}

const bindingsOf = (what: string, list: (good: Binding) => readonly Binding[]): Misuse => ({
  what: `bind of ${what}`,
  commit: ({ fixture }) => {
    requireRefused(`bind of ${what}`, ["BindingError"], () => fixture.parts.kernel.bind(list(fixture.binding)));
  },
});

const rebindOf = (index: number): Misuse => ({
  what: `rebind of move ${index} of 1`,
  commit: (misusing) =>
    withPlan(misusing, (plan, good) => {
      requireRefused(`rebind of move ${index} of 1`, ["BindingError"], () => plan.rebind(index, good));
    }),
});

const loadOf = (what: string, spoil: (artifact: Artifact) => Artifact): Misuse => ({
  what: `load of an artifact of ${what}`,
  commit: ({ backend, fixture }) => {
    const { transfer, conditions } = fixture.parts;
    const artifact = backend.compile([transfer.move], conditions);
    requireRefused(`load of an artifact of ${what}`, ["ArtifactError"], () => backend.load(spoil(artifact)));
  },
});

/** Where a plan outlives its kernel it may work on or refuse, but it may do nothing else. */
function runWithoutKernel({ settings, fixture }: Misusing): void {
  const plan = fixture.parts.kernel.bind([fixture.binding]);
  fixture.parts.kernel[Symbol.dispose]();
  try {
    execute(settings, plan);
  } catch (error) {
    requireRefused("run of a plan whose kernel was disposed of", ["DisposedError"], () => {
      throw error;
    });
    return;
  }
  fixture.parts.transfer.expect(fixture.parts.range);
}

/** Memory that goes away between bind and run is found when the plan runs. */
function runDetached({ settings, fixture }: Misusing, side: "source" | "target"): void {
  const memory = fixture.parts[side];
  const span = fixture.binding[side];
  fc.pre(memory.detach !== undefined);
  const lost = memory.allocate((span.memory as Buffer).sizeBytes);
  using plan = fixture.parts.kernel.bind([{ ...fixture.binding, [side]: { ...span, memory: lost } }]);
  memory.detach?.(lost);
  requireRefused(`run with a detached ${side}`, ["BindingError", "DeviceError"], () => execute(settings, plan));
}

/** Memory that was there at one call may be gone at the next, whatever a kernel or its memory remembers of it. */
function callDetached({ settings, fixture }: Misusing, side: "source" | "target"): void {
  const { kernel } = fixture.parts;
  const memory = fixture.parts[side];
  const span = fixture.binding[side];
  fc.pre(memory.detach !== undefined && kernel.call !== undefined);
  const lost = memory.allocate((span.memory as Buffer).sizeBytes);
  const binding = { ...fixture.binding, [side]: { ...span, memory: lost } };
  kernel.call?.([binding], settings.queue()).wait();
  memory.detach?.(lost);
  if (side === "source") fixture.parts.transfer.forgetTarget();
  const what = `call with a ${side} detached since the last call`;
  requireRefused(what, ["BindingError", "DeviceError"], () => kernel.call?.([binding], settings.queue()).wait());
}

export const MISUSES: readonly Misuse[] = [
  bindingsOf("no bindings for one move", () => []),
  bindingsOf("two bindings for one move", (good) => [good, good]),
  rebindOf(-1),
  rebindOf(1),
  rebindOf(0.5),
  rebindOf(NaN),
  {
    what: "bind of a disposed kernel",
    commit: ({ fixture }) => {
      fixture.parts.kernel[Symbol.dispose]();
      requireRefused("bind of a disposed kernel", ["DisposedError"], () =>
        fixture.parts.kernel.bind([fixture.binding]),
      );
    },
  },
  {
    what: "run of a disposed plan",
    commit: (misusing) =>
      withPlan(misusing, (plan) => {
        plan[Symbol.dispose]();
        requireRefused("run of a disposed plan", ["DisposedError"], () => execute(misusing.settings, plan));
      }),
  },
  {
    what: "rebind of a disposed plan",
    commit: (misusing) =>
      withPlan(misusing, (plan, good) => {
        plan[Symbol.dispose]();
        requireRefused("rebind of a disposed plan", ["DisposedError"], () => plan.rebind(0, good));
      }),
  },
  { what: "run of a plan whose kernel was disposed of", commit: runWithoutKernel },
  { what: "run with a detached source", commit: (misusing) => runDetached(misusing, "source") },
  { what: "run with a detached target", commit: (misusing) => runDetached(misusing, "target") },
  { what: "call with a source detached since the last call", commit: (misusing) => callDetached(misusing, "source") },
  { what: "call with a target detached since the last call", commit: (misusing) => callDetached(misusing, "target") },
  loadOf("another backend", (artifact) => ({ ...artifact, backend: `not-${artifact.backend}` })),
  loadOf("another format version", (artifact) => ({ ...artifact, formatVersion: artifact.formatVersion + 1 })),
];
