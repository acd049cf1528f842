import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileTypes } from "../../src/index.js";
import { datatypeOf, type Golden } from "./golden-types.js";

const SOURCE = fileURLToPath(new URL("offsets.cpp", import.meta.url));

/** What a C++ program packs of golden types by the functions of a header; and what was said meanwhile. */
export function packedByOffsets(types: readonly Golden[], compiler: string) {
  const folder = mkdtempSync(join(tmpdir(), "offsets-"));
  try {
    const named = types.map((golden, i) => ({ symbol: `g${i}`, datatype: datatypeOf(golden) }));
    for (const { ending, bytes } of compileTypes(named, { name: "golden", target: "multi", language: "c++" }))
      writeFileSync(join(folder, `golden${ending}`), bytes);
    const rows = types.map(
      ({ count, size, buffer, origin }, i) => `{g${i}_offset, g${i}_position, ${count}, ${size}, ${buffer}, ${origin}},`,
    );
    writeFileSync(join(folder, "cases.hpp"), `static const golden cases[] = {\n${rows.join("\n")}\n};\n`);
    const flags = ["-std=c++14", "-O1", "-Wall", "-Wextra", "-Werror", `-I${folder}`, "-o", join(folder, "offsets")];
    const made = spawnSync(compiler, [...flags, SOURCE], { encoding: "utf8" });
    const { stdout, stderr } = spawnSync(join(folder, "offsets"), { maxBuffer: 2 ** 28 });
    let at = 0;
    const hashOf = ({ count, size }: Golden) =>
      createHash("sha256")
        .update(stdout.subarray(at, (at += count * size)))
        .digest("hex");
    return { messages: `${made.stderr}${stderr?.toString() ?? "not made"}`, hashes: made.status === 0 ? types.map(hashOf) : [] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
