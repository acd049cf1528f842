import type { Backend } from "@stowage/backend-api";
import { RouteBackend } from "./backend.js";
import { BulkBackend } from "./bulk/bulk-backend.js";

/** Whether a backend is a route between a device and the host: it takes no move with both sides on one of them. */
export const isRoute = (backend: Backend): boolean => backend instanceof RouteBackend || backend instanceof BulkBackend;
