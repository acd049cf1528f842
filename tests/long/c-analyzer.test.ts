import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const WARNINGS = fileURLToPath(new URL("../../scripts/c-warnings.mjs", import.meta.url));
const LONGEST_MS = 1_200_000;
/**
 * MPICH's MPI_STATUSES_IGNORE is the address 1, which GCC 12 takes for a place of no bytes (-Wstringop-overflow) unless
 * constants may be addresses.
 */
const CONSTANT_ADDRESSES = "--param=min-pagesize=0";

test(
  "gcc's analyzer, with every warning of an optimised build, says nothing of C that is shipped",
  () => {
    const words = [WARNINGS, "-O2", "-fanalyzer", CONSTANT_ADDRESSES, "-c", "-o", "/dev/null"];
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8", maxBuffer: 2 ** 28 });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  },
  LONGEST_MS,
);
