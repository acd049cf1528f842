import { explorerPage } from "@stowage/explorer";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { once } from "node:events";
import { afterAll, describe, expect, test } from "vitest";

const STOWAGE = fileURLToPath(new URL("../bin/stowage.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stowage-explore-"));
const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

interface Started {
  readonly child: ChildProcess;
  /** The first line on standard output, where there is one. */
  readonly line: Promise<string>;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
}

function explore(...args: readonly string[]): Started {
  const child = spawn(process.execPath, [STOWAGE, "explore", "--no-open", ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let [out, err] = ["", ""];
  child.stderr.on("data", (text) => (err += String(text)));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, out, err }));
  const line = new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (text) => {
      out += String(text);
      if (out.includes("\n")) resolve(out.slice(0, out.indexOf("\n")));
    });
    void ended.then(() => reject(new Error(`expected a line, got none; ${err}`)));
  });
  line.catch(() => undefined);
  return { child, line, ended };
}

describe("stowage explore", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "serves the page and nothing else until %s, and ends well",
    async (signal) => {
      const { child, line, ended } = explore();
      const address = await line;
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
      const response = await fetch(address);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect((await response.text()) === explorerPage()).toBe(true);
      expect((await fetch(`${address}package.json`)).status).toBe(404);
      expect((await fetch(address, { method: "POST" })).status).toBe(404);
      child.kill(signal);
      expect(await ended).toEqual({ code: 0, out: `${address}\nControl-C ends it.\n`, err: "" });
    },
  );

  test("--out writes the page into a folder that it makes", async () => {
    expect(await explore("--out", "made").ended).toEqual({ code: 0, out: "made/index.html\n", err: "" });
    expect(readdirSync(join(folder, "made"))).toEqual(["index.html"]);
    expect(readFileSync(join(folder, "made", "index.html"), "utf8") === explorerPage()).toBe(true);
  });

  test("--out that is no folder is refused in one line", async () => {
    writeFileSync(join(folder, "a-file"), "kept");
    const { code, out, err } = await explore("--out", "a-file").ended;
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^stowage: --out: expected [^\n]*a-file[^\n]*\n$/);
    expect(readFileSync(join(folder, "a-file"), "utf8")).toBe("kept");
  });

  test("a port in use is refused in one line", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const err = `stowage: --port: expected a free port, got ${port}: EADDRINUSE\n`;
    expect(await explore("--port", String(port)).ended).toEqual({ code: 2, out: "", err });
    taken.close();
  });

  test.each(["70000", "-1", "8e3", ""])("--port=%s is refused in one line", async (port) => {
    const err = `stowage: --port: expected a whole number from 0 to 65535, got ${port || "nothing"}\n`;
    expect(await explore(`--port=${port}`).ended).toEqual({ code: 2, out: "", err });
  });
});
