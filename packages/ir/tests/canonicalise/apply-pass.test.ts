import { expect, test } from "vitest";
import { applyPass } from "../../src/canonicalise/apply-pass.js";
import { inPlace, type Pass } from "../../src/canonicalise/pass.js";
import { dense, DatatypeError, layout, stream } from "../../src/index.js";

const before = layout(0, stream(3, 16, dense(8)), { lowerBoundBytes: 0, extentBytes: 48 });
const refusal = (pass: Pass): unknown => {
  try {
    return applyPass(pass, before);
  } catch (error) {
    return error;
  }
};

test("a pass that returns the node itself is refused", () => {
  const error = refusal({ name: "lazy", rewrite: inPlace });
  expect(error).toBeInstanceOf(DatatypeError);
  expect(String(error)).toBe(
    "DatatypeError: pass lazy: expected undefined where it does not apply, got the node itself",
  );
});

test("a pass that returns a new node for ever is refused", () => {
  const error = refusal({
    name: "endless",
    rewrite: (node) => (node.kind === "dense" ? inPlace(dense(node.lengthBytes)) : undefined),
  });
  expect(error).toBeInstanceOf(DatatypeError);
  expect(String(error)).toContain("pass endless: expected undefined where it does not apply, got a new dense");
});

test("a pass may apply to what it returned", () => {
  const shorten: Pass = {
    name: "shorten",
    rewrite: (node) =>
      node.kind === "dense" && node.lengthBytes > 1 ? inPlace(dense(node.lengthBytes - 1)) : undefined,
  };
  expect(applyPass(shorten, before).sizeBytes).toBe(3);
});
