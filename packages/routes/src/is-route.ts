import type { Backend } from "@stowage/backend-api";
import { RouteBackend } from "./backend.js";
import { BulkBackend } from "./bulk/bulk-backend.js";

/** Whether a backend is a way between a device and the host, and so takes nothing where both sides are of one. */
export const isRoute = (backend: Backend): boolean => backend instanceof RouteBackend || backend instanceof BulkBackend;
