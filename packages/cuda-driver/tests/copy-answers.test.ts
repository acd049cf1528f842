import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { copyAnswers, openSimulatedCuda } from "../src/index.js";

const recorded = JSON.parse(
  readFileSync(new URL("../../../results/h200/copy-answers.json", import.meta.url), "utf8"),
) as { readonly answers: Readonly<Record<string, string>> };

it("the simulated driver refuses the copies that an H200's refuses, and takes the others", () => {
  expect(copyAnswers(openSimulatedCuda().context())).toEqual(recorded.answers);
});
