import { describe, expect, it } from "vitest";
import { openSimulatedCuda, selfCheck } from "../src/index.js";

describe("the simulated driver does what a driver does", () => {
  using context = openSimulatedCuda().context();
  for (const { name, failure } of selfCheck(context)) {
    it(name, () => expect(failure).toBeUndefined());
  }
});
