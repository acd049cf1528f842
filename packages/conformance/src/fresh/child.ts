import { readFileSync, writeSync } from "node:fs";
import type { Backend } from "@stowage/backend-api";
import { HOST_MEMORY, type TestMemory } from "../memory/test-memory.js";
import type { FreshCase } from "./fresh-process.js";
import { moveStored } from "./move-stored.js";

interface BackendModule {
  readonly createBackend: () => Backend;
  readonly scattered?: TestMemory;
  readonly packed?: TestMemory;
}

// A process of its own: cases on standard input, what each target then held on standard output.
const [, , moduleUrl = ""] = process.argv;
const { createBackend, scattered = HOST_MEMORY, packed = HOST_MEMORY } = (await import(moduleUrl)) as BackendModule;
const cases = JSON.parse(readFileSync(0, "utf8")) as FreshCase[];
const backend = createBackend();
const moved = cases.map((each) => Buffer.from(moveStored(backend, scattered, packed, each)).toString("base64"));
writeSync(1, JSON.stringify(moved));
