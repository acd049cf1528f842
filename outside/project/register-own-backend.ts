import "reflect-metadata";
import { BACKEND } from "@stowage/backend-api";
import { predefined, vector } from "@stowage/ir";
import { createEngine } from "@stowage/selector";
import { container } from "tsyringe";
import { ownBackend } from "./own-backend.js";

container.register(BACKEND, { useValue: ownBackend });
using engine = createEngine();
const column = engine.commit(vector(4, 1, 4, predefined("MPI_DOUBLE")));
const packed = new Float64Array(4);
column.pack(
  Float64Array.from({ length: 16 }, (_, i) => i),
  packed,
);

const { name } = column.choice("pack").chosen;
if (name !== "own") throw new Error(`chosen backend: expected own, got ${name}`);
if (packed.join() !== "0,4,8,12") throw new Error(`packed column: expected 0,4,8,12, got ${packed.join()}`);
console.log("packed by one's own backend:", packed.join());
