import { describeBackend } from "@stowage/conformance";
import { LibraryBackend } from "./library-backend.js";

describeBackend("libstowage", () => new LibraryBackend());
