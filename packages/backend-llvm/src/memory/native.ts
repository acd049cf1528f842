import type library from "koffi";
import { createRequire } from "node:module";

type Koffi = typeof library;

let loaded: Koffi | undefined;

/** koffi, loaded when code is first run. */
export const koffi = (): Koffi => (loaded ??= createRequire(import.meta.url)("koffi") as Koffi);
