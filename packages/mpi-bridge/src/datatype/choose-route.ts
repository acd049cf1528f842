import type { Mpi } from "@stowage/mpi-abi";
import type { Placed } from "../buffer/placed.js";
import type { Staging } from "../buffer/staging.js";
import type { Hints, Route } from "./hints.js";
import { measureRoutes } from "./measure-routes.js";

/** Measuring and compiling cost about what packing so many bytes does: a type that moves fewer does not repay them. */
const REPAYING_BYTES = 1024 * 1024;

/** How elements that are not one run of bytes travel; hints of a type go before those of a communicator. */
export function chooseRoute(mpi: Mpi, placed: Placed, hints: Hints, staging: Staging): Route {
  const { type, count } = placed;
  const route = type.hints.route ?? hints.route ?? "auto";
  if (route !== "auto") return route;
  const bytes = count * type.sizeBytes;
  const reuse = type.hints.reuse ?? hints.reuse;
  if (reuse !== undefined && reuse * bytes < REPAYING_BYTES) return "native";
  const sizeClass = Math.ceil(Math.log2(bytes));
  let cost = type.costs.get(sizeClass);
  if (cost === undefined) type.costs.set(sizeClass, (cost = measureRoutes(mpi, placed, staging)));
  return cost.route;
}
