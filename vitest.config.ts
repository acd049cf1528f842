import { defineConfig } from "vitest/config";

/** `npm run test:long` sets it: the files under tests/long too, and every law at its full number of cases. */
const isLong = process.env["STOWAGE_TESTS"] === "long";

/** Cases a law where nothing else is asked for. Every seeded fault of packages/conformance is found with as many. */
const FAST_LAW_RUNS = "100";
const lawRuns = process.env["STOWAGE_LAW_RUNS"] ?? (isLong ? undefined : FAST_LAW_RUNS);

export default defineConfig({
  // Tests run on the sources: the packages' exports name them under this condition.
  resolve: { conditions: ["@stowage/source"] },
  ssr: { resolve: { conditions: ["@stowage/source"] } },
  test: {
    include: ["packages/*/tests/**/*.test.ts", "tests/**/*.test.ts"],
    exclude: isLong ? [] : ["packages/*/tests/long/**"],
    // Whatever profile the machine has, tests choose by the shipped figures.
    env: { STOWAGE_PROFILE: "shipped", ...(lawRuns === undefined ? {} : { STOWAGE_LAW_RUNS: lawRuns }) },
    testTimeout: 60_000,
  },
});
