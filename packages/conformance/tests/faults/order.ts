import type { Completion, Plan } from "@stowage/backend-api";
import { SimpleBackend } from "../simple/simple-backend.js";
import type { Fault } from "./fault.js";
import { planWith, withPlans } from "./with-plans.js";

/** A plan that moves its bytes when it is asked whether they moved, as a stream of its own may. */
function latePlan(plan: Plan): Plan {
  return planWith(plan, {
    run: (queue) => {
      let over: Completion | undefined;
      const late = (): Completion => (over ??= plan.run(queue));
      return { poll: () => late().poll(), wait: () => late().wait() };
    },
  });
}

export const ORDER_FAULTS: readonly Fault[] = [
  {
    name: "moves bytes after what follows it was written",
    law: 9,
    says: /without a queue, between writes that were enqueued: target, byte/,
    factory: () => withPlans(new SimpleBackend(), latePlan),
  },
];
