import { ArtifactError, checkBinding, checkBindings, DONE, type Binding } from "@stowage/backend-api";
import { SimpleBackend } from "../simple/simple-backend.js";
import { bytesAt } from "../simple/steps.js";
import type { Fault } from "./fault.js";
import { planWith, withKernels, withPlans } from "./with-plans.js";

/** Checks that see some bad numbers as others. */
const checking = (blind: (binding: Binding) => Binding) =>
  new SimpleBackend({
    check: (moves, bindings, conditions) => checkBindings(moves, bindings.map(blind), conditions),
    checkOne: (moves, i, binding, conditions) => checkBinding(moves, i, blind(binding), conditions),
  });

function writeOneByte({ target }: Binding): void {
  const { bytes, at } = bytesAt(target.memory, 0);
  bytes[at] = ~(bytes[at] as number);
}

export const REFUSAL_FAULTS: readonly Fault[] = [
  {
    name: "accepts a negative count",
    law: 6,
    says: /count of -1: expected BindingError, got/,
    factory: () => checking((binding) => (binding.count < 0 ? { ...binding, count: 1, length: 0 } : binding)),
  },
  {
    name: "accepts a range one byte too long",
    law: 6,
    says: /(one byte|from byte 1).*: expected BindingError, got no error/,
    factory: () =>
      checking((binding) => ({ ...binding, length: Math.max(binding.length - 1, Math.min(0, binding.length)) })),
  },
  {
    name: "does not see that a buffer is too short",
    law: 6,
    says: /expected BindingError, got no error/,
    factory: () =>
      new SimpleBackend({
        check: (moves, bindings, conditions) => {
          checkBindings(
            moves,
            bindings.map((binding) => ({ ...binding, length: Math.min(0, binding.length) })),
            conditions,
          );
        },
      }),
  },
  {
    name: "checks only when bound, not when bound again",
    law: 6,
    says: /rebind with .* expected BindingError, got/,
    factory: () => new SimpleBackend({ checkOne: () => undefined }),
  },
  {
    name: "copies a datatype onto itself",
    law: 6,
    says: /the source as its target: expected BindingError, got no error/,
    factory: () => {
      // A range of no bytes asks nothing of its memory.
      const apart = (binding: Binding): Binding =>
        binding.target === binding.source ? { ...binding, length: 0 } : binding;
      return checking(apart);
    },
  },
  {
    name: "throws an error of no type",
    law: 6,
    says: /expected BindingError, got Error: bad/,
    factory: () =>
      new SimpleBackend({
        check: (moves, bindings, conditions) => {
          try {
            checkBindings(moves, bindings, conditions);
          } catch (cause) {
            throw new Error("bad binding", { cause });
          }
        },
      }),
  },
  {
    name: "writes a byte before it looks",
    law: 6,
    says: /memory after bind with .* target, byte/,
    factory: () =>
      new SimpleBackend({
        check: (moves, bindings, conditions) => {
          for (const binding of bindings) if (!Number.isInteger(binding.first)) writeOneByte(binding);
          checkBindings(moves, bindings, conditions);
        },
      }),
  },
  {
    name: "takes the new binding before it refuses it",
    law: 6,
    says: /run of a plan that refused|undefined|memory/,
    factory: () =>
      withPlans(new SimpleBackend(), (plan, [bound]) => {
        let isSpoiled = false;
        return planWith(plan, {
          run: (queue) => (isSpoiled ? DONE : plan.run(queue)),
          rebind: (i, binding) => {
            isSpoiled = binding !== bound;
            plan.rebind(i, binding);
          },
        });
      }),
  },
  {
    name: "works on after it was disposed of",
    law: 6,
    says: /disposed (kernel|plan): expected DisposedError, got no error/,
    factory: () =>
      withKernels(new SimpleBackend(), (kernel) => ({
        bind: (bindings) => planWith(kernel.bind(bindings), { [Symbol.dispose]: () => undefined }),
        explain: () => kernel.explain(),
        [Symbol.dispose]: () => undefined,
      })),
  },
  {
    name: "loads an artifact of any format version",
    law: 6,
    says: /another format version: expected ArtifactError, got no error/,
    factory: () => {
      const right = new SimpleBackend();
      return {
        name: right.name,
        supports: (moves, conditions) => right.supports(moves, conditions),
        predict: (moves, conditions, profile) => right.predict(moves, conditions, profile),
        compile: (moves, conditions) => right.compile(moves, conditions),
        load: (artifact) => {
          if (artifact.backend !== right.name) throw new ArtifactError(`artifact: expected one of ${right.name}`);
          return right.load({ ...artifact, formatVersion: 1 });
        },
      };
    },
  },
];
