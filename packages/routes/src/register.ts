import { BACKEND, type Backend } from "@stowage/backend-api";
import type { DependencyContainer } from "tsyringe";
import { Routes, type RouteOptions } from "./routes.js";

/**
 * Adds every route to a container of tsyringe, under the token BACKEND that all backends share; what they hold goes
 * when what this returns is disposed of. Throws as the constructor of Routes does.
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
