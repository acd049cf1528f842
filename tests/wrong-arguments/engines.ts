import { encodeArtifact } from "@stowage/backend-api";
import { contiguous } from "@stowage/ir";
import type { PagesOptions } from "@stowage/engine";
import { createEngine } from "@stowage/selector";
import { packChunks, packedStream, unpackChunks, unpackingStream } from "@stowage/streams";
import { bound, type Call } from "./call.js";
import {
  artifact,
  byte,
  bytes,
  committed,
  copying,
  engine,
  kernel,
  binding,
  other,
  rows,
  span,
  whole,
} from "./subjects.js";

const pools = (n: number) => ({ bases: [span(n), span(n)], strideBytes: 16 });
const pages = () => ({ groups: [{ page: rows, source: pools(64), target: pools(64) }], index: "u32", mostPages: 4 });
const table = (): Uint32Array => Uint32Array.of(0, 2);
const tables = () => ({ sourcePages: table(), targetPages: table(), count: 2, check: true });
const paged = engine.commitPages(pages() as PagesOptions);
const pagesPlan = paged.bind(tables());

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
  ["Engine.load", bound(engine, "load"), () => [{ ...artifact }, { allow: ["cpu"] }]],
  ["Engine.load of bytes", bound(engine, "load"), () => [encodeArtifact(artifact), {}]],
  ["Engine.commitPages", bound(engine, "commitPages"), () => [pages()]],
  [
    "Engine.commitPages of two layouts of a page",
    bound(engine, "commitPages"),
    () => [
      {
        ...pages(),
        groups: [{ page: { source: rows, target: contiguous(6, byte) }, source: pools(64), target: pools(64) }],
      },
    ],
  ],
  ["CommittedPages.bind", bound(paged, "bind"), () => [tables()]],
  [
    "CommittedPages.bind of a count in memory",
    bound(paged, "bind"),
    () => [{ ...tables(), check: false, count: Uint32Array.of(2) }],
  ],
  ["PagesPlan.rebind", bound(pagesPlan, "rebind"), () => [tables()]],
  ["packChunks", packChunks, () => [committed, bytes(12), { chunkBytes: 4 }]],
  ["packedStream", packedStream, () => [committed, bytes(12), { chunkBytes: 4 }]],
  ["unpackChunks", unpackChunks, () => [committed, [bytes(4), bytes(2)], bytes(12), { count: 1 }]],
  ["unpackingStream", unpackingStream, () => [committed, bytes(12), { count: 1 }]],
];
