// The tests as ever, but one source file is read with a change in it: STOWAGE_MUTANT is { path, copy }.
import { readFileSync } from "node:fs";
import { mergeConfig } from "vitest/config";
import usual from "../../vitest.config.ts";

const { path, copy } = JSON.parse(process.env.STOWAGE_MUTANT ?? "{}");

const mutate = {
  name: "stowage-mutant",
  enforce: "pre",
  load(id) {
    return path !== undefined && id.split("?")[0] === path ? readFileSync(copy, "utf8") : undefined;
  },
};

export default mergeConfig(usual, {
  plugins: [mutate],
  test: { root: process.cwd(), bail: 1, maxWorkers: 1, reporters: ["dot"] },
});
