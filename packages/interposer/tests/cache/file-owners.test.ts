import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { describe, expect, test } from "vitest";
import { ownerOf, type UserNamespace } from "../../src/cache/file-owners.js";
import { inFolder } from "../service/in-folder.js";

const [OVERFLOW, USER] = [65_534, 1_000];
const MOUNTS = [
  "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
  "40 27 0:30 / /scratch/my\\040site rw - nfs4 server:/site rw",
  "41 27 0:31 / /tmp/mallory/mount rw - fuse.sshfs mallory rw",
].join("\n");

const namespace = (map: string, user = USER): UserNamespace => ({ user, map, overflowUser: OVERFLOW, mounts: MOUNTS });

const host = namespace("         0          0 4294967295\n");
/** One user alone, as Apptainer, Charliecloud, bubblewrap and `unshare --user` have it. */
const single = namespace("         0       1000          1\n", 0);
/** Users and the numbers of /etc/subuid, as Podman and Docker have it. */
const many = namespace("         0       1000          1\n         1     100000      65535\n", 0);
const rootsOwn = namespace("         0          0          1\n", 0);

describe("whose a number is", () => {
  test("on the host: the user's, root's, another's, nobody's too", () => {
    expect([USER, 0, 1001, OVERFLOW].map((uid) => ownerOf(uid, "/", host))).toEqual([
      "user",
      "root",
      "another",
      "another",
    ]);
    expect(ownerOf(OVERFLOW, "/home/nobody", { ...host, user: OVERFLOW })).toBe("user");
  });

  test.each([
    ["one user", single],
    ["many", many],
  ])("in a container of %s: the overflow user is root where the set-up put it, else anybody", (_, inside) => {
    for (const path of ["/", "/home", "/tmp", "/scratch/my site"]) expect(ownerOf(OVERFLOW, path, inside)).toBe("root");
    for (const path of ["/home/mallory", "/scratch/my site/mallory", "/tmp/mallory", "/tmp/mallory/mount"])
      expect(ownerOf(OVERFLOW, path, inside)).toBe("another");
    expect(ownerOf(0, "/home/me", inside)).toBe("user");
    expect(ownerOf(1001, "/", inside)).toBe("another");
  });

  test("where the host's root has a number inside, nothing of its own looks like the overflow user", () => {
    expect(ownerOf(OVERFLOW, "/", rootsOwn)).toBe("another");
  });

  test("a user without a number owns nothing: all others without one look the same", () => {
    expect(ownerOf(OVERFLOW, "/home/me", namespace("", OVERFLOW))).toBe("another");
    expect(ownerOf(OVERFLOW, "/home/me", namespace("0 1000 1", OVERFLOW))).toBe("another");
  });
});

const canUnshare =
  process.geteuid?.() === 0 &&
  spawnSync("unshare", ["--user", "--map-root-user", "true"], { uid: USER, gid: USER }).status === 0;

test.runIf(canUnshare)(
  "in a user namespace a user's own folders below root's serve, a stranger's and open ones do not",
  () =>
    inFolder(async (folder) => {
      const bundle = await rolldown({
        input: fileURLToPath(new URL("../../src/cache/private-folder.ts", import.meta.url)),
        resolve: { conditionNames: ["@stowage/source", "import"] },
        platform: "node",
        logLevel: "silent",
      });
      await bundle.write({ file: join(folder, "private-folder.mjs"), format: "esm" });
      chmodSync(folder, 0o755);
      chownSync(folder, USER, USER);
      mkdirSync(join(folder, "strangers"), { mode: 0o755 });
      mkdirSync(join(folder, "strangers", "ours"));
      chownSync(join(folder, "strangers"), 4_321, 4_321);
      chownSync(join(folder, "strangers", "ours"), USER, USER);
      const program = `
      import { ownFolder } from ${JSON.stringify(join(folder, "private-folder.mjs"))};
      for (const path of process.argv.slice(1))
        try { console.log(ownFolder(path)); } catch (error) { console.log(error.message); }`;
      const paths = [join(folder, "new", "cache"), join(folder, "strangers", "ours")];
      for (const mapped of ["--map-root-user", "--map-current-user"]) {
        const command = ["--user", mapped, process.execPath, "--input-type=module", "-e", program, ...paths];
        const { stdout, stderr } = spawnSync("unshare", command, { uid: USER, gid: USER, encoding: "utf8" });
        expect(stderr).toBe("");
        const [made, refused] = stdout.split("\n");
        expect(made).toBe(paths[0]);
        expect(refused).toContain(`got ${join(folder, "strangers")}, user ${OVERFLOW}'s of mode 0755`);
      }
    }),
);
