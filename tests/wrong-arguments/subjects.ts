import { conditions, hostMemory, packMove } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { contiguous, lower, predefined, vector } from "@stowage/ir";
import { createEngine } from "@stowage/selector";
import { afterAll } from "vitest";

// What the calls are made on: three rows of two bytes, five bytes apart.
export const byte = predefined("MPI_BYTE");
export const rows = vector(3, 2, 5, byte);
export const layout = lower(rows);
export const move = packMove(layout);
export const backend = new CpuBackend();
export const artifact = backend.compile([move], conditions());
export const kernel = backend.load(artifact);
export const engine = createEngine({ backend: "cpu" });
export const other = createEngine();
export const committed = engine.commit(rows);
export const copying = engine.commitCopy(rows, contiguous(6, byte));
afterAll(() => [kernel, engine, other].forEach((each) => each[Symbol.dispose]()));

export const bytes = (n: number): Uint8Array => new Uint8Array(n);
export const span = (n: number) => ({ memory: hostMemory(bytes(n)), originBytes: 0 });
export const whole = { count: 1, first: 0, length: 6 };
export const binding = () => ({ source: span(12), target: span(6), ...whole });
