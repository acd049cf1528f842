import { UNCALIBRATED, type Backend, type Profile } from "@stowage/backend-api";
import {
  ArgumentError,
  quoted,
  requireArray,
  requireOptions,
  requireRecord,
  type FieldRule,
  type FieldRules,
} from "@stowage/ir";
import type { Driver } from "@stowage/cuda-driver";
import { RouteBackend } from "./backend.js";
import { BulkBackend } from "./bulk/bulk-backend.js";
import { POOL_LIMITS, type PoolLimits } from "./pool/limits.js";
import { RoutePools } from "./pool/route-pools.js";
import { ROUTES } from "./route.js";

/** What `Routes` takes. Everything may be left out. */
export interface RouteOptions {
  /** Gives the driver, when first needed. Default: this machine's. */
  readonly driver?: () => Driver;
  /** How much the pools keep at most, of each device. Default: POOL_LIMITS. */
  readonly limits?: Partial<PoolLimits>;
  /** Backends of the host, each with a bulk backend. Default: none. */
  readonly hostPackers?: readonly Backend[];
  /** Gives the profile whose figures decide the sizes of chunks. Default: shipped figures. */
  readonly profile?: () => Profile;
}

const A_FUNCTION: FieldRule = {
  expected: "a function",
  allows: (value) => value === undefined || typeof value === "function",
};
const isBackend = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "supports" in value && "name" in value;
const RULES: FieldRules<RouteOptions> = {
  driver: A_FUNCTION,
  limits: { expected: "numbers by name", allows: (value) => value === undefined || areLimits(value) },
  hostPackers: {
    expected: "a list of backends",
    allows: (value) => value === undefined || (Array.isArray(value) && value.every(isBackend)),
  },
  profile: A_FUNCTION,
};
const areLimits = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.entries(value).every(([name, most]) => isLimit(name, most));
const isLimit = (name: string, most: unknown): boolean =>
  name in POOL_LIMITS && Number.isSafeInteger(most) && (most as number) > 0;

/**
 * Every route with each of some packers, and the bulk backends; they share the pools, which go when this is disposed
 * of.
 *
 * @example
 * ```typescript
 * using routes = new Routes([new CudaStridedBackend(openCuda)]);
 * using engine = new Engine({ backends: routes.backends });
 * using face = engine.commit(datatype, { memory: "device", packedMemory: "pinned" });
 * ```
 */
export class Routes implements Disposable {
  /** The staging buffers and streams of all backends. */
  readonly pools: RoutePools;
  /** A backend for each route and packer, route by route, in the order of ROUTES and of the packers. */
  readonly backends: readonly RouteBackend[];
  /** A bulk backend for each of the host's packers. */
  readonly bulk: readonly BulkBackend[];

  /** Throws an ArgumentError where a packer is no backend, or an option is none that there is. */
  constructor(packers: readonly Backend[], options: RouteOptions = {}) {
    requireArray(packers, "packers", "a list of backends");
    const strange = packers.findIndex((packer) => !isBackend(packer));
    if (strange >= 0) throw new ArgumentError("packer", "a backend", quoted(packers[strange]));
    requireOptions(options, "options of routes", Object.keys(RULES));
    const {
      driver,
      limits = {},
      profile = () => UNCALIBRATED,
      hostPackers = [],
    } = requireRecord(options, "options of routes", RULES);
    this.pools = new RoutePools(driver, limits);
    this.backends = Object.freeze(
      ROUTES.flatMap((route) => packers.map((packer) => new RouteBackend(route, packer, this.pools, profile))),
    );
    this.bulk = Object.freeze(hostPackers.map((packer) => new BulkBackend(packer, this.pools)));
  }

  /** Frees the pools. Kernels and plans of the backends must be disposed of before. */
  [Symbol.dispose](): void {
    this.pools[Symbol.dispose]();
  }
}
