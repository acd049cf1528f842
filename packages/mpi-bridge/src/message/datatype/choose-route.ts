import type { Mpi } from "@stowage/mpi-abi";
import type { HostPlaced, Placed } from "../place/placed.js";
import type { Staging } from "../place/staging.js";
import type { Hints, Route } from "./hints.js";
import { measureRoutes } from "./measure-routes.js";
import type { TriedWay } from "./route-trial.js";

/** Measuring and compiling cost about what packing so many bytes does: a type that moves fewer does not repay them. */
const REPAYING_BYTES = 1024 * 1024;

/** How elements that are not one run of bytes travel; hints of a type go before those of a communicator. */
export function chooseRoute(mpi: Mpi, placed: HostPlaced, hints: Hints, staging: Staging): Route {
  const known = knownRoute(placed, hints);
  if (known !== undefined) return known;
  const cost = measureRoutes(mpi, placed, staging);
  placed.type.costs.set(sizeClassOf(placed), cost);
  return cost.route;
}

/** The route where hints say it or it was found before. */
export function knownRoute(placed: Placed, hints: Hints): Route | undefined {
  const { type, sizeBytes } = placed;
  const route = type.hints.route ?? hints.route ?? "auto";
  if (route !== "auto") return route;
  if (type.needsNative) return "native";
  const reuse = type.hints.reuse ?? hints.reuse;
  if (reuse !== undefined && reuse * sizeBytes < REPAYING_BYTES) return "native";
  return type.costs.get(sizeClassOf(placed))?.route;
}

/** The same, and how packed bytes go, for a message that blocks. */
export function knownWay(placed: Placed, hints: Hints): TriedWay | undefined {
  const route = knownRoute(placed, hints);
  return route === "packed" && isAuto(placed, hints) && placed.type.costs.get(sizeClassOf(placed))?.apart === true
    ? "apart"
    : route;
}

const isAuto = ({ type }: Placed, hints: Hints): boolean => (type.hints.route ?? hints.route ?? "auto") === "auto";

/** A power of two, by its logarithm. */
export const sizeClassOf = ({ sizeBytes }: Placed): number =>
  sizeBytes < 2 ** 31 ? 32 - Math.clz32(sizeBytes - 1) : Math.ceil(Math.log2(sizeBytes));
