import { BACKEND, type Backend } from "@stowage/backend-api";
import type { DependencyContainer } from "tsyringe";
import { Routes, type RouteOptions } from "./routes.js";

/**
 * Adds every route to a container, under the token that all backends share; what they hold goes with what this returns.
 */
export function registerRoutes(
  container: DependencyContainer,
  packers: readonly Backend[],
  options: RouteOptions = {},
): Routes {
  const routes = new Routes(packers, options);
  for (const backend of [...routes.backends, ...routes.bulk]) container.register(BACKEND, { useValue: backend });
  return routes;
}
