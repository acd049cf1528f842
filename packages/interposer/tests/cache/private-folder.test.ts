import { chmodSync, chownSync, lchownSync, lstatSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CodeCache } from "../../src/index.js";
import { ownFolder, privateFolder, trustedFolder } from "../../src/cache/private-folder.js";
import { inFolder } from "../service/in-folder.js";

const [NOBODY, STRANGER] = [65_534, 4_321];
const isRoot = process.geteuid?.() === 0;

/** Folders inside one another; the innermost. */
function nested(folder: string, ...names: readonly string[]): string {
  const path = join(folder, ...names);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

describe.each([
  ["ownFolder", ownFolder],
  ["privateFolder", privateFolder],
  ["trustedFolder", (path: string) => trustedFolder(path)?.path],
])("%s", (_, check) => {
  test("takes what lies in folders of this user and root, whatever links of theirs lead there, and says where it is", () =>
    inFolder((folder) => {
      const inner = nested(folder, "a", "b");
      symlinkSync("a", join(folder, "relative"));
      symlinkSync(join(folder, "relative"), join(folder, "absolute"));
      symlinkSync("../../absolute/./b/", join(inner, "back"));
      const real = realpathSync(inner);
      for (const path of ["a/b", "relative/b", "absolute//b", "absolute/b/back", "a/../a/b/."])
        expect(check(`${folder}/${path}`)).toBe(real);
      expect(() => check(join(folder, "a", "..", "..", "..", "dev", "null"))).toThrow(
        /got \/dev\/null, no folder$|got no folder$/,
      );
      return Promise.resolve();
    }));

  test("refuses one below a folder that others may write to, unless they can remove there alone what is theirs", () =>
    inFolder((folder) => {
      const inner = nested(folder, "open", "ours");
      for (const mode of [0o770, 0o707]) {
        chmodSync(dirname(inner), mode);
        const got = `got ${realpathSync(dirname(inner))}, user ${process.geteuid?.()}'s of mode 0${mode.toString(8)}`;
        expect(() => check(inner)).toThrow(got);
      }
      chmodSync(dirname(inner), 0o1777);
      expect(check(inner)).toBe(realpathSync(inner));
      return Promise.resolve();
    }));

  test("refuses one that others may write to, sticky or not", () =>
    inFolder((folder) => {
      for (const mode of [0o770, 0o1777]) {
        chmodSync(folder, mode);
        expect(() => check(folder)).toThrow(/, got user \d+'s of mode (0770|1777)$/);
      }
      return Promise.resolve();
    }));

  test("refuses links without end", () =>
    inFolder((folder) => {
      symlinkSync("loop", join(folder, "loop"));
      expect(() => check(join(folder, "loop"))).toThrow(/more than 40 links/);
      return Promise.resolve();
    }));

  test.runIf(isRoot)("refuses one below another user's folder: its owner can rename ours away and plant another", () =>
    inFolder((folder) => {
      const inner = nested(folder, "strangers", "ours");
      for (const [user, mode] of [
        [STRANGER, 0o755],
        [NOBODY, 0o755],
        [STRANGER, 0o1755],
      ] as const) {
        chownSync(dirname(inner), user, user);
        chmodSync(dirname(inner), mode);
        expect(() => check(inner)).toThrow(`got ${realpathSync(dirname(inner))}, user ${user}'s of mode`);
        expect(() => check(join(inner, "deeper"))).toThrow(`, user ${user}'s of mode`);
      }
      return Promise.resolve();
    }),
  );

  test.runIf(isRoot)("refuses another user's link, and one through another user's folder, wherever it leads", () =>
    inFolder((folder) => {
      const inner = nested(folder, "ours");
      chmodSync(nested(folder, "sticky"), 0o1777);
      symlinkSync(inner, join(folder, "sticky", "link"));
      expect(check(join(folder, "sticky", "link"))).toBe(realpathSync(inner));
      lchownSync(join(folder, "sticky", "link"), STRANGER, STRANGER);
      expect(() => check(join(folder, "sticky", "link"))).toThrow(`got user ${STRANGER}'s of mode 0777`);
      symlinkSync("../ours", join(nested(folder, "theirs"), "link"));
      chownSync(join(folder, "theirs"), STRANGER, STRANGER);
      expect(() => check(join(folder, "theirs", "link"))).toThrow(`theirs, user ${STRANGER}'s of mode`);
      return Promise.resolve();
    }),
  );
});

describe.each([
  ["ownFolder", ownFolder],
  ["privateFolder", privateFolder],
])("%s", (_, make) => {
  test("makes what is missing, for this user alone", () =>
    inFolder((folder) => {
      make(join(folder, "a", "b"));
      for (const path of ["a", "a/b"]) expect(lstatSync(join(folder, path)).mode & 0o7777).toBe(0o700);
      return Promise.resolve();
    }));

  test("says what the system says where a folder cannot be made: nothing is tried for ever", () => {
    expect(() => make("/proc/nonexist/stowage")).toThrow(
      /^\/proc\/nonexist\/stowage: expected a folder .*, got ENOENT$/,
    );
  });

  test.runIf(isRoot)("makes nothing below another user's folder", () =>
    inFolder((folder) => {
      chownSync(nested(folder, "theirs"), STRANGER, STRANGER);
      expect(() => make(join(folder, "theirs", "ours"))).toThrow(/theirs, user 4321's/);
      expect(lstatSync(join(folder, "theirs", "ours"), { throwIfNoEntry: false })).toBe(undefined);
      return Promise.resolve();
    }),
  );
});

test("where others may look, code may lie, and a socket not", () =>
  inFolder((folder) => {
    chmodSync(folder, 0o755);
    expect(ownFolder(folder)).toBe(realpathSync(folder));
    expect(() => privateFolder(folder)).toThrow(/a folder that this user alone may enter, got user \d+'s of mode 0755/);
    expect(trustedFolder(join(folder, "absent"))).toBe(undefined);
    return Promise.resolve();
  }));

test.runIf(isRoot)("the code cache is not made below a folder that its owner can swap", () =>
  inFolder((folder) => {
    chownSync(nested(folder, "shared"), STRANGER, STRANGER);
    expect(() => new CodeCache(join(folder, "shared", "code"), 0)).toThrow(/shared, user 4321's of mode 0700/);
    return Promise.resolve();
  }),
);
