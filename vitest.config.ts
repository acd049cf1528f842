import { defineConfig } from "vitest/config";

export default defineConfig({
  // Tests run on the sources: the packages' exports name them under this condition.
  resolve: { conditions: ["@stowage/source"] },
  ssr: { resolve: { conditions: ["@stowage/source"] } },
  test: {
    include: ["packages/*/tests/**/*.test.ts"],
    testTimeout: 60_000,
  },
});
