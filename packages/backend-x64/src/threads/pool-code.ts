import type { CodeArena } from "../memory/executable.js";
import { functionAt } from "../memory/function-at.js";
import { launchOnPoolCode, workerCode } from "./emit-pool.js";
import type { SliceTable } from "./slice-table.js";
import { koffi } from "@stowage/host-plans";

/** The machine code that all pools of a process run; what is launched on them goes through one mailbox. */
export class PoolCode {
  /** Address of a worker's start routine. */
  readonly worker: number;
  /** Where the code lies. */
  readonly arena: CodeArena;
  readonly #mailbox = new Float64Array(3);
  readonly #launch: () => void;

  constructor(arena: CodeArena) {
    this.arena = arena;
    // Never released: threads may run it as long as the process lives.
    this.worker = arena.add(workerCode()).address;
    const launch = arena.add(launchOnPoolCode(koffi().address(this.#mailbox))).address;
    this.#launch = functionAt<() => void>(launch, "void stowage_x64_launch_on_pool()");
  }

  /**
   * What runs slices on the pool whose words are at an address when it is called, and returns when they are done. It
   * holds the table: the threads read it by its address.
   */
  prepare(pool: number, slices: SliceTable): () => void {
    return () => {
      this.#mailbox[0] = pool;
      this.#mailbox[1] = slices.address;
      this.#mailbox[2] = slices.count;
      this.#launch();
    };
  }
}
