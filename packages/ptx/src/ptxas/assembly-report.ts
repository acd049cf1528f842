import type { AssembledKernel } from "./ptxas.js";

/** A table of the most registers and the most spilled bytes of groups of kernels, an architecture a row. */
export class AssemblyReport {
  readonly #rows = new Map<number, Map<string, string>>();

  add(arch: number, group: string, kernels: readonly AssembledKernel[]): void {
    const registers = Math.max(...kernels.map((kernel) => kernel.registers));
    const spilledBytes = Math.max(...kernels.map((kernel) => kernel.spilledBytes));
    const row = this.#rows.get(arch) ?? new Map<string, string>();
    this.#rows.set(arch, row.set(group, `${registers} / ${spilledBytes}`));
  }

  /** The table, or one line that says that nothing was assembled. */
  toString(): string {
    if (this.#rows.size === 0) return "ptxas: expected one on PATH, got none: no kernel was assembled";
    const groups = [...new Set([...this.#rows.values()].flatMap((row) => [...row.keys()]))];
    const lines = [...this.#rows].map(([arch, row]) => [`sm_${arch}`, ...groups.map((group) => row.get(group) ?? "")]);
    const table = [["registers / bytes spilled, at most", ...groups], ...lines];
    const widths = ["", ...groups].map((_, i) => Math.max(...table.map((line) => line[i]?.length ?? 0)));
    return table
      .map((line) =>
        line
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join("  ")
          .trimEnd(),
      )
      .join("\n");
  }
}
