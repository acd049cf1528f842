import type library from "koffi";
import { createRequire } from "node:module";

type Koffi = typeof library;

let loaded: Koffi | undefined;

/** koffi, loaded when it is first asked for: most of what imports machine code's packages may never need it. */
export const koffi = (): Koffi => (loaded ??= createRequire(import.meta.url)("koffi") as Koffi);
