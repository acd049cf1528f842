import { expect, it } from "vitest";
import { RouteTrial } from "../src/message/datatype/route-trial.js";
import type { MeasuredCost } from "../src/message/datatype/measured-cost.js";

/** Messages of a role until the trial is over: what each route takes, the first ones longer. */
function messages(
  trial: RouteTrial,
  nativeNs: number,
  packedNs: number,
  most = 100,
  apartNs = Infinity,
): MeasuredCost | undefined {
  for (let i = 0; i < most; i++) {
    const route = trial.next("send");
    const cost = trial.tell(
      "send",
      route,
      (route === "native" ? nativeNs : route === "apart" ? apartNs : packedNs) + (i < 3 ? 1e6 : i % 3),
    );
    if (cost !== undefined) return cost;
  }
  return undefined;
}

it("the route whose messages took less is chosen, native where they differ by noise", () => {
  expect(messages(new RouteTrial(), 1000, 500)?.route).toBe("packed");
  expect(messages(new RouteTrial(), 500, 1000)?.route).toBe("native");
  expect(messages(new RouteTrial(), 1000, 990)?.route).toBe("native");
});

it("packed bytes go apart where that takes less", () => {
  const tried = (): RouteTrial => new RouteTrial(["native", "packed", "apart"]);
  expect(messages(tried(), 1000, 900, 100, 500)).toMatchObject({ route: "packed", apart: true });
  expect(messages(tried(), 1000, 1200, 100, 500)).toMatchObject({ route: "packed", apart: true });
  expect(messages(tried(), 1000, 500, 100, 900)?.apart).toBeUndefined();
  expect(messages(tried(), 400, 900, 100, 500)?.route).toBe("native");
});

it("what making types and code takes does not count", () => {
  expect(messages(new RouteTrial(), 1000, 500)).toMatchObject({ route: "packed" });
});

it("sends and receives count together, and the one waits for the other, but not for ever", () => {
  const trial = new RouteTrial();
  trial.tell("recv", trial.next("recv"), 1);
  expect(messages(trial, 1000, 500, 20)).toBeUndefined();
  expect(messages(trial, 1000, 500)?.route).toBe("packed");
});
