/// <reference lib="esnext.disposable" preserve="true" />
export { RouteBackend } from "./backend.js";
export { BulkBackend } from "./bulk/bulk-backend.js";
export { FIGURES, type Figures } from "./figures.js";
export type { PoolLimits } from "./pool/limits.js";
export { isRoute } from "./is-route.js";
export { POOL_LIMITS } from "./pool/limits.js";
export { RoutePool, type PoolUse } from "./pool/route-pool.js";
export { RoutePools } from "./pool/route-pools.js";
export { registerRoutes } from "./register.js";
export { ROUTES, type Route } from "./route.js";
export { Routes, type RouteOptions } from "./routes.js";
