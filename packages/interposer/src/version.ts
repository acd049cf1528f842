import { readFileSync } from "node:fs";

/** This package's version: code and libraries of another one are never used. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version;
