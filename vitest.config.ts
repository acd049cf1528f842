import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** `npm run test:long` sets it: the files under tests/long too, and every law at its full number of cases. */
const isLong = process.env["STOWAGE_TESTS"] === "long";

/** Cases a law where nothing else is asked for. With as many, the tests' seeds find each fault of conformance's. */
const FAST_LAW_RUNS = "100";
const lawRuns = process.env["STOWAGE_LAW_RUNS"] ?? (isLong ? undefined : FAST_LAW_RUNS);

/**
 * A limit of a test only ends what hangs: a machine five times as slow as any of ours is within it. One that is slower
 * still sets STOWAGE_HANG_MS; tests that start programs read it for those.
 */
const hangMs = Number(process.env["STOWAGE_HANG_MS"] ?? 600_000);

const long = isLong ? [] : ["{packages/*,lab}/tests/long/**", "tests/long/**"];

/**
 * Files whose process must be their own: it finds and loads a library once (an MPI, libLLVM), and an MPI starts and
 * ends once.
 */
const APART = [
  "packages/mpi-abi/tests/{mpich,open-mpi,standard-mpich,standard-open-mpi,wrong-arguments}.test.ts",
  "packages/{llvm,backend-llvm}/tests/**/*.test.ts",
  "packages/libstowage/tests/mpi/**/*.test.ts",
  "packages/compile/tests/type-key/**/*.test.ts",
  "packages/mpi-bridge/tests/in-process/**/*.test.ts",
  "tests/{*,long/**/*}.test.ts",
];

/**
 * Processes that sources and tests start by a module's URL run the packages as they are published, where that module is
 * there (scripts/stage-packages.mjs): to load the modules one by one takes a second of a rank.
 */
const startsStaged = {
  name: "stowage-starts-staged",
  transform: (code: string, id: string): string =>
    code.replaceAll(/new URL\("(\.[^"]+)", import\.meta\.url\)/g, (url, path: string) => {
      const staged = new URL(path, `file://${id}`).href.replace(
        /\/packages\/(?=[^/]+\/(dist|bin|examples)\/)/,
        "/tmp/packages/",
      );
      return staged.includes("/tmp/packages/") && existsSync(fileURLToPath(staged)) ? `new URL("${staged}")` : url;
    }),
};

export default defineConfig({
  plugins: [startsStaged],
  // Tests run on the sources: the packages' exports name them under this condition.
  resolve: { conditions: ["@stowage/source"] },
  ssr: { resolve: { conditions: ["@stowage/source"] } },
  test: {
    // Whatever profile the machine has, tests choose by the shipped figures.
    env: {
      STOWAGE_PROFILE: "shipped",
      STOWAGE_HANG_MS: String(hangMs),
      ...(lawRuns === undefined ? {} : { STOWAGE_LAW_RUNS: lawRuns }),
    },
    // Equal bytes, and what each file takes of the processors (scripts/test.mjs --times).
    setupFiles: [
      "scripts/equal-bytes.mjs",
      ...(process.env["STOWAGE_TIMES"] === undefined ? [] : ["scripts/times/file-times.mjs"]),
    ],
    globalSetup: ["scripts/stage-packages.mjs"],
    testTimeout: hangMs,
    hookTimeout: hangMs,
    projects: [
      // One process for all: to start one a file and import the packages anew takes as long as the tests themselves.
      // Long tests take minutes, and some of them watch what their process holds.
      {
        extends: true,
        test: {
          name: "together",
          isolate: isLong,
          include: ["{packages/*,lab}/tests/**/*.test.ts", "tests/lint/*.test.ts"],
          exclude: [...long, ...APART],
        },
      },
      { extends: true, test: { name: "apart", include: APART, exclude: long } },
    ],
  },
});
