import type library from "koffi";
import { createRequire } from "node:module";

type Koffi = typeof library;

let loaded: Koffi | undefined;

/**
 * koffi, loaded when an MPI is first loaded: finding them takes none. Throws one line where its native part is not
 * there.
 */
export const koffi = (): Koffi => (loaded ??= load());

function load(): Koffi {
  try {
    return createRequire(import.meta.url)("koffi") as Koffi;
  } catch (cause) {
    const [got = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
    throw new Error(
      `koffi: expected its native part for ${process.platform}-${process.arch}, got none (${got}): npm install koffi`,
      { cause },
    );
  }
}
