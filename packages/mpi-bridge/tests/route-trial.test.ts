import { expect, it } from "vitest";
import { RouteTrial } from "../src/datatype/route-trial.js";
import type { MeasuredCost } from "../src/datatype/measured-cost.js";

/** Messages of a role until the trial is over: what each route takes, the first two of each longer. */
function messages(trial: RouteTrial, nativeNs: number, packedNs: number, most = 100): MeasuredCost | undefined {
  for (let i = 0; i < most; i++) {
    const route = trial.next("send");
    const cost = trial.tell("send", route, (route === "native" ? nativeNs : packedNs) + (i < 2 ? 1e6 : i % 3));
    if (cost !== undefined) return cost;
  }
  return undefined;
}

it("the route whose messages took less is chosen, native where they differ by noise", () => {
  expect(messages(new RouteTrial(), 1000, 500)?.route).toBe("packed");
  expect(messages(new RouteTrial(), 500, 1000)?.route).toBe("native");
  expect(messages(new RouteTrial(), 1000, 990)?.route).toBe("native");
});

it("what making types and code takes does not count", () => {
  expect(messages(new RouteTrial(), 1000, 500)).toEqual({ route: "packed", nativeNs: 1000, packedNs: 500 });
});

it("sends and receives count together, and the one waits for the other, but not for ever", () => {
  const trial = new RouteTrial();
  trial.tell("recv", trial.next("recv"), 1);
  expect(messages(trial, 1000, 500, 20)).toBeUndefined();
  expect(messages(trial, 1000, 500)?.route).toBe("packed");
});
