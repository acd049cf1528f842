import { contiguous } from "@stowage/ir";
import { createEngine } from "@stowage/selector";
import { packChunks, packedStream, unpackChunks, unpackingStream } from "@stowage/streams";
import { bound, type Call } from "./call.js";
import { byte, bytes, committed, copying, engine, kernel, binding, other, rows, whole } from "./subjects.js";

export const ENGINES: readonly Call[] = [
  ["createEngine", createEngine, () => [{ backend: "cpu" }]],
  ["Engine.commit", bound(engine, "commit"), () => [rows, { count: 2, alignment: 8 }]],
  ["Engine.commit of any backend", bound(other, "commit"), () => [rows, { threads: 1 }]],
  ["Engine.commit of a name", bound(engine, "commit"), () => ["MPI_DOUBLE"]],
  ["Engine.commitCopy", bound(engine, "commitCopy"), () => [rows, contiguous(6, byte), {}]],
  ["Engine.copy", bound(engine, "copy"), () => [bytes(12), rows, bytes(6), contiguous(6, byte), { count: 1 }]],
  ["Committed.pack", bound(committed, "pack"), () => [bytes(12), bytes(6), { ...whole }]],
  ["Committed.unpack", bound(committed, "unpack"), () => [bytes(6), bytes(12), { ...whole }]],
  ["Committed.plan", bound(committed, "plan"), () => ["pack", bytes(12), bytes(6), { ...whole }]],
  ["Committed.compile", bound(committed, "compile"), () => ["pack"]],
  ["Committed.choice", bound(committed, "choice"), () => ["pack"]],
  ["Committed.explain", bound(committed, "explain"), () => ["unpack"]],
  ["CommittedCopy.copy", bound(copying, "copy"), () => [bytes(12), bytes(6), { count: 1 }]],
  ["Kernel.bind", bound(kernel, "bind"), () => [[binding()]]],
  ["Kernel.call", bound(kernel, "call"), () => [[binding()]]],
  ["packChunks", packChunks, () => [committed, bytes(12), { chunkBytes: 4 }]],
  ["packedStream", packedStream, () => [committed, bytes(12), { chunkBytes: 4 }]],
  ["unpackChunks", unpackChunks, () => [committed, [bytes(4), bytes(2)], bytes(12), { count: 1 }]],
  ["unpackingStream", unpackingStream, () => [committed, bytes(12), { count: 1 }]],
];
