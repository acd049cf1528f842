import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { STANDARD_COMMUNICATION } from "../../src/abi/standard-communication.js";
import { STANDARD_DATATYPES } from "../../src/abi/standard-datatypes.js";
import { STANDARD_ABIS, STANDARD_COMBINERS } from "../../src/abi/standard.js";

/** Where Debian's packages of both MPIs have the standard's mpi.h. */
const FOLDERS = ["openmpi/include/standard_abi", "mpi_abi_mpich/include"].map((folder) =>
  join("/usr/lib/x86_64-linux-gnu", folder),
);
const { accumulations, errorClasses, fileModes, locks, reductions, ...plain } = STANDARD_COMMUNICATION;
const upper = (names: Readonly<Record<string, number>>): readonly (readonly [string, number])[] =>
  Object.entries(names).map(([name, value]) => [`MPI_${name.toUpperCase()}`, value]);
const [abi] = STANDARD_ABIS as [(typeof STANDARD_ABIS)[0]];
const { threadLevels } = abi;
const { orders, distributions, defaultDarg } = abi.arrayConstants;

/** Ours, by the names of mpi.h. */
const OURS: readonly (readonly [string, number])[] = [
  ...Object.entries(STANDARD_DATATYPES),
  ...Array.from(errorClasses, ([value, name]) => [name, value] as const),
  ...STANDARD_COMBINERS.map(([value, name]) => [name, value] as const),
  ...upper(reductions),
  ...upper(accumulations),
  ["MPI_COMM_WORLD", 0x101],
  ["MPI_COMM_SELF", 0x102],
  ["MPI_DATATYPE_NULL", 0x200],
  ["MPI_ERRORS_RETURN", 0x143],
  ["MPI_TYPE_DUP_FN", 1],
  ["MPI_TYPE_NULL_DELETE_FN", 0],
  ["MPI_ANY_SOURCE", plain.anySource],
  ["MPI_ANY_TAG", plain.anyTag],
  ["MPI_PROC_NULL", plain.procNull],
  ["MPI_UNDEFINED", plain.undefinedValue],
  ["MPI_IN_PLACE", plain.inPlace],
  ["MPI_STATUS_IGNORE", plain.statusIgnore],
  ["MPI_COMM_NULL", plain.commNull],
  ["MPI_REQUEST_NULL", plain.requestNull],
  ["MPI_MESSAGE_NULL", plain.messageNull],
  ["MPI_MESSAGE_NO_PROC", plain.messageNoProc],
  ["MPI_INFO_NULL", plain.infoNull],
  ["MPI_TAG_UB", plain.tagUbKey],
  ["MPI_COMM_TYPE_SHARED", plain.typeShared],
  ["MPI_LOCK_EXCLUSIVE", locks.exclusive],
  ["MPI_LOCK_SHARED", locks.shared],
  ["MPI_MODE_CREATE", fileModes.create],
  ["MPI_MODE_RDONLY", fileModes.readOnly],
  ["MPI_MODE_RDWR", fileModes.readWrite],
  ["MPI_MODE_WRONLY", fileModes.writeOnly],
  ["MPI_ORDER_C", orders.C],
  ["MPI_ORDER_FORTRAN", orders.F],
  ["MPI_DISTRIBUTE_BLOCK", distributions.block],
  ["MPI_DISTRIBUTE_CYCLIC", distributions.cyclic],
  ["MPI_DISTRIBUTE_NONE", distributions.none],
  ["MPI_DISTRIBUTE_DFLT_DARG", defaultDarg],
  ...["SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE"].map(
    (name, i) => [`MPI_THREAD_${name}`, threadLevels[i] as number] as const,
  ),
  ["sizeof(MPI_Status) / sizeof(int)", 8],
  ["offsetof(MPI_Status, MPI_SOURCE)", 0],
  ["offsetof(MPI_Status, MPI_TAG)", 4],
  ["offsetof(MPI_Status, MPI_ERROR)", 8],
  ["sizeof(MPI_Datatype)", abi.handles(1).view.byteLength],
];

describe.runIf(FOLDERS.some(existsSync))("the standard's ABI", () => {
  test.each(FOLDERS.filter(existsSync))("each number of ours is that of %s/mpi.h", (include) => {
    const work = mkdtempSync(join(tmpdir(), "stowage-constants-"));
    const [source, program] = [join(work, "constants.c"), join(work, "constants")];
    const lines = OURS.map(([name]) => `printf("%lld\\n", (long long)(intptr_t)(${name}));`);
    const head = "#include <mpi.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n";
    writeFileSync(source, `${head}int main(void) {\n${lines.join("\n")}\nreturn 0;\n}\n`);
    expect(spawnSync("cc", ["-w", `-I${include}`, "-o", program, source], { encoding: "utf8" }).stderr).toBe("");
    const theirs = spawnSync(program, { encoding: "utf8" }).stdout.trim().split("\n").map(Number);
    rmSync(work, { recursive: true });
    expect(OURS.map(([name], i) => [name, theirs[i]])).toEqual(OURS);
  });
});
