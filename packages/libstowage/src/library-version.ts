import { readFileSync } from "node:fs";

/** The version of the library in C, which names the code that it asks for: stowage_version() says the same. */
export const LIBRARY_VERSION: string = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version;
