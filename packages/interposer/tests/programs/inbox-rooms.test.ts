import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sources } from "../../src/build/sources.js";
import { inFolder } from "../service/in-folder.js";

const FILES = ["inbox-rooms.c", "../../c/host/inbox.c", "../../c/host/nameless-file.c"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);
const ROUNDS = 20_000;
/** A line is in no L1d any more when it is written again (docs/notes/2026-11-29-lines.md). */
const LEAST_TURN = 96 * 1024;

test("a room is one sender's alone, comes again late, and is there for the longest message when all are given back", () =>
  inFolder((folder) => {
    const program = join(folder, "inbox-rooms");
    const includes = sources("packing").includes.map((each) => `-I${each}`);
    const flags = ["-std=gnu11", "-O1", "-o", program, ...includes, ...FILES, "-lpthread"];
    expect(spawnSync("gcc", flags, { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
    const { stdout } = spawnSync(program, [String(ROUNDS)], { encoding: "utf8", timeout: 60_000 });
    const [claimed = 0, wrong, turn, longest, left] = stdout.trim().split(" ").map(Number);
    expect(claimed).toBeGreaterThan(2 * ROUNDS);
    expect([wrong, longest, left]).toEqual([0, 1, 0]);
    expect(turn).toBeGreaterThanOrEqual(LEAST_TURN);
    return Promise.resolve();
  }));
