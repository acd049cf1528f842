import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { inFolder } from "../service/in-folder.js";

const SOURCE = fileURLToPath(new URL("routes.c", import.meta.url));
const FIRST = "stowage-device-routes 1\n";
const DEFAULTS =
  "direct 1024, launch 262144; one-shot or one-shot one-shot or one-shot one-shot or one-shot; 4096 536870912\n";

/** What a program that reads a table of this text says, and its lines on standard error. */
function read(folder: string, text: string): { readonly said: string; readonly lines: string } {
  const path = join(folder, "table");
  writeFileSync(path, text);
  const { stdout, stderr } = spawnSync(join(folder, "routes"), [], {
    env: { STOWAGE_DEVICE_ROUTES: path },
    encoding: "utf8",
  });
  return { said: stdout, lines: stderr };
}

function withProgram(body: (folder: string) => void): Promise<void> {
  return inFolder((folder) => {
    const flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined"];
    const { stderr } = spawnSync("gcc", [...flags, "-o", join(folder, "routes"), SOURCE], { encoding: "utf8" });
    expect(stderr).toBe("");
    body(folder);
    return Promise.resolve();
  });
}

test("the last rule that fits counts, and of bytes that are wanted at once the last that is not of pieces; wrong tables leave the defaults, and a line", () =>
  withProgram((folder) => {
    const rules =
      "# ours\ndirect 7\n\nlaunch 65536\nroute 0 0 device\nroute 65536 0 pipelined\nroute 65536 64 one-shot\n";
    expect(read(folder, FIRST + rules)).toEqual({
      said: "direct 7, launch 65536; device or device pipelined or device one-shot or one-shot; 4096 268435456\n",
      lines: "",
    });
    const wrong = [
      ["", 1],
      ["stowage-device-routes 2\n", 1],
      [`${FIRST}direct 7\nroute 0 0 flying\n`, 3],
      [`${FIRST}route 0 0 device more\n`, 2],
      [`${FIRST}route 0 device\n`, 2],
      [`${FIRST}direct -1\n`, 2],
      [`${FIRST}direct 99999999999999999999999\n`, 2],
      [`${FIRST}launch 0\n`, 2],
      [`${FIRST}unknown 1\n`, 2],
      [`${FIRST}direct 7`, 2],
      [FIRST + "route 0 0 device\n".repeat(65), 66],
    ] as const;
    for (const [text, line] of wrong) {
      const { said, lines } = read(folder, text);
      expect({ text, said }).toEqual({ text, said: DEFAULTS });
      expect(lines).toBe(
        `stowage: ${join(folder, "table")}: expected a table of routes, got another line ${line}: the defaults are taken\n`,
      );
    }
  }));
