import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const CHECKOUT = fileURLToPath(new URL("../../../../", import.meta.url));
const SCRIPT = fileURLToPath(new URL("fresh-system.sh", import.meta.url));
const VIEW = fileURLToPath(new URL("view.cpp", import.meta.url));
const isRoot = process.getuid?.() === 0;
/** Making a system takes minutes. */
const TIMEOUT_MS = 3_600_000;

function run(command: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: CHECKOUT, encoding: "utf8", maxBuffer: 2 ** 26 });
  return { status, stdout, said: `${stdout}${stderr}` };
}

/** What each step of the script printed, a line an entry, by the step's name. */
function stepsOf(stdout: string): Readonly<Record<string, readonly string[]>> {
  const steps = stdout.split(/^== /m).slice(1);
  return Object.fromEntries(
    steps.map((step) => {
      const [name = "", ...lines] = step.trimEnd().split("\n");
      return [name, lines];
    }),
  );
}

/** Of C, C++20 and Fortran, besides what `explain` says. */
const PROGRAMS = ["libstowage 0.1.0: column 7 from 7 to 6307, 0 wrong", "320 bytes, 0 wrong", "plane: 64 values"];
const VIEWED = ["96 bytes", "480 bytes", "480 bytes", "0 wrong"];
/** What a compiler says of a header that its library lacks. */
const NO_VIEW = ["mdspan: No such file or directory"];

describe.runIf(isRoot)("the published package in a fresh system without Node", () => {
  let [folder, tarball] = ["", ""];
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeAll(() => {
    // A system sees of this machine no more than the checkout.
    mkdirSync(join(CHECKOUT, "tmp"), { recursive: true });
    folder = mkdtempSync(join(CHECKOUT, "tmp", "fresh-"));
    const staged = run(process.execPath, ["scripts/stage-packages.mjs"]);
    expect(staged.status, staged.said).toBe(0);
    const packed = run("npm", ["pack", "./tmp/packages/libstowage", "--pack-destination", folder]);
    expect(packed.status, packed.said).toBe(0);
    tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
    chmodSync(folder, 0o755);
  });

  test.each(["bookworm", "trixie", "sid"])(
    "%s installs it, and builds and runs programs of C, C++20 and Fortran over it, and std::mdspan",
    { timeout: TIMEOUT_MS },
    (release) => {
      expect(existsSync(tarball)).toBe(true);
      const ran = run(process.execPath, ["scripts/in-debian.mjs", release, SCRIPT, tarball, VIEW]);
      expect(ran.status, ran.said).toBe(0);
      const steps = stepsOf(ran.stdout);
      console.log(release, JSON.stringify(steps));
      expect(steps["find_package"]).toEqual(expect.arrayContaining(PROGRAMS));
      expect(steps["pkg-config"]).toEqual(expect.arrayContaining(PROGRAMS));
      expect(steps["pkg-config --static"]).toEqual(PROGRAMS.slice(0, 1));
      expect(steps["std::mdspan of libc++"]).toEqual(VIEWED);
      expect([VIEWED, NO_VIEW]).toContainEqual(steps["std::mdspan of libstdc++"]);
      expect(steps["manual pages"]).toEqual(expect.arrayContaining(["stowage.3", "stowage_types.3", "stowage_pack.3"]));
    },
  );
});

describe.skipIf(isRoot)("a user who may not make systems", () => {
  test("nothing was installed", () => expect(isRoot).toBe(false));
});
