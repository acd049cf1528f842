// The list of `node scripts/test.mjs --times`: processor seconds of each step, and of each test file that takes some.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { processorSeconds } from "./processor-seconds.mjs";

const SHOWN_FROM_SECONDS = 1;
const row = (seconds, what) => console.log(`${seconds.toFixed(1).padStart(8)}  ${what}`);
const sumOf = (rows) => rows.reduce((sum, { seconds }) => sum + seconds, 0);

/** `files` is where each test file writes its line (file-times.mjs). */
export class Times {
  #rows = [];
  #files;

  constructor(files) {
    this.#files = files;
    mkdirSync(dirname(files), { recursive: true });
    rmSync(files, { force: true });
  }

  step(name, run) {
    const [processor, wall] = [processorSeconds(), Date.now()];
    const result = run();
    this.#rows.push({ name, seconds: processorSeconds() - processor, wallSeconds: (Date.now() - wall) / 1000 });
    return result;
  }

  print() {
    console.log("\nstowage: processor seconds");
    for (const { name, seconds, wallSeconds } of this.#rows)
      row(seconds, `${name} (${wallSeconds.toFixed(1)} s of time)`);
    row(sumOf(this.#rows), "all");
    if (existsSync(this.#files)) this.#printFiles();
  }

  #printFiles() {
    const files = readFileSync(this.#files, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split("\t"))
      .map(([name, seconds]) => ({ name, seconds: Number(seconds) }))
      .sort((a, b) => b.seconds - a.seconds);
    const [long, short] = [
      files.filter(({ seconds }) => seconds >= SHOWN_FROM_SECONDS),
      files.filter(({ seconds }) => seconds < SHOWN_FROM_SECONDS),
    ];
    console.log("\nstowage: of which by test file, imports included");
    for (const { name, seconds } of long) row(seconds, name);
    row(sumOf(short), `${short.length} files of less than ${SHOWN_FROM_SECONDS} s`);
  }
}
