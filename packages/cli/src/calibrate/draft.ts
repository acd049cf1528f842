import { existsSync, readFileSync, rmSync } from "node:fs";
import type { OutputFile } from "@stowage/bench";
import { MODELS_VERSION, type ProfiledMachine } from "@stowage/selector";
import type { PointRows } from "./measure-grid.js";

interface DraftText {
  readonly models: number;
  readonly machine: ProfiledMachine;
  readonly measured: readonly PointRows[];
}

/** What an interrupted calibration had measured, beside where its profile goes. */
export class Draft {
  readonly #path: string;
  readonly #file: OutputFile;
  readonly #machine: ProfiledMachine;

  constructor(path: string, file: OutputFile, machine: ProfiledMachine) {
    this.#path = path;
    this.#file = file;
    this.#machine = machine;
  }

  /** Points of this machine and these models; one that cannot be read is begun anew. */
  read(): readonly PointRows[] {
    if (!existsSync(this.#path)) return [];
    try {
      const { models, machine, measured } = JSON.parse(readFileSync(this.#path, "utf8")) as DraftText;
      const same = models === MODELS_VERSION && JSON.stringify(machine) === JSON.stringify(this.#machine);
      return same && Array.isArray(measured) ? (measured as readonly PointRows[]) : [];
    } catch {
      return [];
    }
  }

  /** Throws one line where there is no room. */
  keep(measured: readonly PointRows[]): void {
    const text: DraftText = { models: MODELS_VERSION, machine: this.#machine, measured };
    this.#file.write(JSON.stringify(text));
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
