import { measureOverheads, type Asked } from "@stowage/overheads";
import { progressBar } from "../progress.js";
import { mpiName } from "./mpi-name.js";

/** Several MPIs, each in several worlds. */
export interface WorldsAsked extends Omit<Asked, "library" | "name" | "ranks"> {
  readonly libraries: readonly string[];
  readonly worlds: readonly number[];
  /** Called after every program. */
  readonly keep: () => void;
}

/** Measures one after another; says each remark once as it comes. */
export async function measureWorlds({ libraries, worlds, keep, ...asked }: WorldsAsked): Promise<void> {
  using bar = progressBar("overheads");
  const said = new Set<string>();
  const remark = (line: string): void => {
    if (said.has(line)) return;
    said.add(line);
    bar.line(line);
    asked.remark(line);
  };
  for (const library of libraries) {
    const name = mpiName(library);
    for (const ranks of worlds) {
      if (await asked.stopped()) return;
      const progress = (done: number, total: number): void => {
        bar.show(done, total);
        keep();
      };
      await measureOverheads({ ...asked, library, name, ranks, remark, progress });
    }
  }
}
