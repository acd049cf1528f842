import { describeBackend } from "@stowage/conformance";
import { CpuBackend } from "../src/index.js";

describeBackend("cpu", () => new CpuBackend());
