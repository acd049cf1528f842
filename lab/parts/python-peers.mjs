import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Peers of the experiments pages and mdspans in a process of Python's: asked and answered through two pipes, while this
 * process waits.
 */
export class PythonPeers {
  #folder = mkdtempSync(join(tmpdir(), "pages-"));
  #process;
  #requests;
  #answers;
  #rest = "";
  #lab;

  /** `poolBytes`: of each of the two pools that copies of pages have. */
  constructor(python, lab, poolBytes = 0) {
    this.#lab = lab;
    const [requests, answers] = ["requests", "answers"].map((name) => join(this.#folder, name));
    for (const pipe of [requests, answers])
      if (spawnSync("mkfifo", [pipe]).status !== 0) throw new Error(`mkfifo ${pipe}: expected a pipe, got none`);
    const script = fileURLToPath(new URL("../c/pages-peers.py", import.meta.url));
    this.#process = spawn(python, [script, String(poolBytes), requests, answers], { stdio: "inherit" });
    this.#requests = openSync(requests, "w");
    this.#answers = openSync(answers, "r");
  }

  /** The peers that take a cell, their bytes compared there; where some are wrong, that is told, and there are none. */
  take(cell, from, to) {
    const files = { from: join(this.#folder, "from"), to: join(this.#folder, "to") };
    writeFileSync(files.from, from);
    writeFileSync(files.to, to);
    return this.#names({ cell: { ...cell, ...files } });
  }

  /** The same of a copy between strided layouts. */
  takeStrided(cell) {
    return this.#names({ strided: cell });
  }

  #names(request) {
    const names = this.#ask(request);
    if (!Array.isArray(names)) this.#lab.remark(`Python's peers: ${names.error}`);
    return Array.isArray(names) ? this.#entrants(names) : {};
  }

  /** They time themselves: this process would time its pipes. */
  #entrants(names) {
    return Object.fromEntries(names.map((name) => [name, { times: (calls) => this.#time(name, calls) }]));
  }

  #time(name, repeats) {
    const times = this.#ask({ time: name, repeats });
    if (Array.isArray(times)) return times;
    throw new Error(`${name}: ${times.error}`);
  }

  [Symbol.dispose]() {
    this.#ask({ end: true });
    closeSync(this.#requests);
    closeSync(this.#answers);
    this.#process.unref();
    rmSync(this.#folder, { recursive: true });
  }

  #ask(request) {
    writeSync(this.#requests, `${JSON.stringify(request)}\n`);
    const piece = Buffer.alloc(65_536);
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end >= 0) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        return JSON.parse(line);
      }
      const length = readSync(this.#answers, piece);
      if (length === 0) throw new Error("Python's peers: expected an answer, got the end of their process");
      this.#rest += piece.toString("utf8", 0, length);
    }
  }
}
