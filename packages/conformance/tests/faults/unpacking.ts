import { DONE, type Binding, type Buffer, type Plan } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import { SimpleBackend } from "../simple/simple-backend.js";
import { RIGHT_STEPS, type Table } from "../simple/steps.js";
import type { Fault } from "./fault.js";
import { planWith, unpackingBy, withPlans } from "./with-plans.js";

const { tableOf, copy } = RIGHT_STEPS;

/** The bytes of a span over one host buffer; spans over address spaces are left alone. */
const bytesOf = ({ memory }: Binding["source"]): Uint8Array | undefined => (memory as Buffer).bytes;

/** A plan that does something to the memory it is bound to before it runs. */
const meddling = (meddle: (binding: Binding) => void) =>
  withPlans(new SimpleBackend(), (plan: Plan, bindings) => {
    let bound = [...bindings];
    return planWith(plan, {
      run: (queue) => {
        if (bound.some(({ length }) => length > 0)) bound.forEach(meddle);
        return plan.run(queue);
      },
      rebind: (i, binding) => {
        plan.rebind(i, binding);
        bound = bound.with(i, binding);
      },
    });
  });

const reversed = (layout: Layout): Table => {
  const table = tableOf(layout);
  return { ...table, offsets: table.offsets.toReversed(), lengths: table.lengths.toReversed() };
};

export const UNPACKING_FAULTS: readonly Fault[] = [
  {
    name: "writes gaps: whole words where a run ends in one",
    law: 2,
    says: /unpack of what was packed: target, byte/,
    factory: () =>
      unpackingBy(new SimpleBackend({ copy: (step) => copy({ ...step, length: Math.ceil(step.length / 4) * 4 }) })),
  },
  {
    name: "clears the target first",
    law: 2,
    says: /unpack of what was packed: target, byte/,
    factory: () => unpackingBy(meddling(({ target }) => bytesOf(target)?.fill(0))),
  },
  {
    name: "writes one byte past the last",
    law: 2,
    says: /unpack of what was packed: target, byte/,
    factory: () => unpackingBy(new SimpleBackend({ copy: (step) => copy({ ...step, length: step.length + 1 }) })),
  },
  {
    name: "unpacks from the last run to the first",
    law: 2,
    says: /unpack of what was packed: target, byte/,
    factory: () => unpackingBy(new SimpleBackend({ tableOf: (layout) => reversed(layout) })),
  },
  {
    name: "uses the packed buffer as a place to work in",
    law: 2,
    says: /source, which nothing may write to/,
    factory: () =>
      unpackingBy(
        withPlans(new SimpleBackend(), (plan, bindings) =>
          planWith(plan, {
            run: (queue) => {
              plan.run(queue);
              for (const { source, length } of bindings) if (length > 0) bytesOf(source)?.fill(0);
              return DONE;
            },
          }),
        ),
      ),
  },
];
