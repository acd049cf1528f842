import { describeBackend } from "../../src/index.js";
import { SimpleBackend } from "./simple-backend.js";

describeBackend("a simple backend", () => new SimpleBackend());
