import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { trustedFolder } from "../../src/cache/private-folder.js";
import { inFolder } from "../service/in-folder.js";
import { hasCompiler } from "./build-rank.js";
import { programsBuilt } from "./programs.js";

const program = programsBuilt(["trusted-folder"]);
const [USER, STRANGER] = [4_320, 4_321];
const isRoot = process.geteuid?.() === 0;

const inC = (paths: readonly string[], command: readonly string[] = [], user?: number): readonly string[] => {
  const [file = "", ...args] = [...command, program("trusted-folder"), ...paths];
  const { stdout, stderr } = spawnSync(file, args, {
    encoding: "utf8",
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  expect(stderr).toBe("");
  return stdout.trimEnd().split("\n");
};

/** Folders and links of which some are safe, some not; as another user's too where this is root. */
function paths(folder: string): readonly string[] {
  const inner = join(folder, "a", "b");
  mkdirSync(inner, { recursive: true, mode: 0o755 });
  symlinkSync("a", join(folder, "relative"));
  symlinkSync(join(folder, "relative"), join(folder, "absolute"));
  symlinkSync("../../absolute/./b/", join(inner, "back"));
  symlinkSync("loop", join(folder, "loop"));
  const modes = [
    "a",
    "a/b",
    "relative/b",
    "absolute//b",
    "absolute/b/back",
    "a/../a/b/.",
    "absent",
    "a/absent/x",
    "loop",
  ];
  for (const mode of [0o770, 0o707, 0o1777, 0o755, 0o700]) {
    const outer = join(folder, mode.toString(8));
    mkdirSync(join(outer, "ours"), { recursive: true });
    symlinkSync(inner, join(outer, "link"));
    chmodSync(outer, mode);
    modes.push(...["", "/ours", "/link", "/absent"].map((below) => `${mode.toString(8)}${below}`));
    if (!isRoot) continue;
    mkdirSync(join(folder, `stranger-${mode}`, "ours"), { recursive: true });
    symlinkSync(inner, join(folder, `stranger-${mode}`, "link"));
    lchownSync(join(folder, mode.toString(8), "link"), STRANGER, STRANGER);
    chownSync(join(folder, `stranger-${mode}`), STRANGER, STRANGER);
    chmodSync(join(folder, `stranger-${mode}`), mode);
    modes.push(...["", "/ours", "/link"].map((below) => `stranger-${mode}${below}`));
  }
  return modes.map((path) => `${folder}/${path}`);
}

function inTypeScript(path: string): "yes" | "no" {
  try {
    trustedFolder(path);
    return "yes";
  } catch {
    return "no";
  }
}

test.runIf(hasCompiler)("ranks trust the folders that the service trusts", () =>
  inFolder((folder) => {
    const asked = paths(folder);
    const answers = inC(asked).map((line) => (line === "yes" ? "yes" : "no"));
    const expected = asked.map(inTypeScript);
    expect(Object.fromEntries(asked.map((path, i) => [path, answers[i]]))).toEqual(
      Object.fromEntries(asked.map((path, i) => [path, expected[i]])),
    );
    expect(new Set(expected)).toEqual(new Set(["yes", "no"]));
    return Promise.resolve();
  }),
);

test.runIf(hasCompiler)("they say which component is not to be trusted", () =>
  inFolder((folder) => {
    mkdirSync(join(folder, "open", "ours"), { recursive: true });
    chmodSync(join(folder, "open"), 0o777);
    expect(inC([join(folder, "open", "ours")])).toEqual([join(folder, "open")]);
    return Promise.resolve();
  }),
);

const canUnshare =
  isRoot && spawnSync("unshare", ["--user", "--map-root-user", "true"], { uid: USER, gid: USER }).status === 0;

test.runIf(hasCompiler && canUnshare)("in a user namespace root's folders serve, and a stranger's do not", () =>
  inFolder((folder) => {
    chmodSync(folder, 0o755);
    chmodSync(dirname(program("trusted-folder")), 0o755);
    chownSync(folder, USER, USER);
    mkdirSync(join(folder, "strangers", "ours"), { recursive: true });
    chownSync(join(folder, "strangers"), STRANGER, STRANGER);
    chownSync(join(folder, "strangers", "ours"), USER, USER);
    for (const mapped of ["--map-root-user", "--map-current-user"])
      expect(
        inC([join(folder, "new"), join(folder, "strangers", "ours")], ["unshare", "--user", mapped], USER),
      ).toEqual(["yes", join(folder, "strangers")]);
    return Promise.resolve();
  }),
);
