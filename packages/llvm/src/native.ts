import type library from "koffi";
import { createRequire } from "node:module";

type Koffi = typeof library;

let loaded: Koffi | undefined;

/** koffi, loaded when LLVM is first asked for. */
export const koffi = (): Koffi => (loaded ??= createRequire(import.meta.url)("koffi") as Koffi);
