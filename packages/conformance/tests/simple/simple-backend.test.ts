import { describeBackend } from "../../src/index.js";
import { watchedMemory } from "../memory/watched-memory.js";
import { SimpleBackend } from "./simple-backend.js";

describeBackend("a simple backend", () => new SimpleBackend());

const watched = { scattered: watchedMemory(), packed: watchedMemory() };
describeBackend("a simple backend, its gaps on pages that nothing may touch", () => new SimpleBackend(), watched);
