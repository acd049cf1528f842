import { describeBackend } from "@stowage/conformance";
import { ownBackend } from "./own-backend.js";

describeBackend("own", () => ownBackend);
