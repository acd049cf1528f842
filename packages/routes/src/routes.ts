import { UNCALIBRATED, type Backend, type Profile } from "@stowage/backend-api";
import type { Driver } from "@stowage/cuda-driver";
import { RouteBackend } from "./backend.js";
import { BulkBackend } from "./bulk/bulk-backend.js";
import type { PoolLimits } from "./pool/limits.js";
import { RoutePools } from "./pool/route-pools.js";
import { ROUTES } from "./route.js";

export interface RouteOptions {
  /** Gives the driver, when first needed. Default: this machine's. */
  readonly driver?: () => Driver;
  /** What the pools keep at most. */
  readonly limits?: Partial<PoolLimits>;
  /** Backends of the host, for the bulk way. Default: none, and no bulk way. */
  readonly hostPackers?: readonly Backend[];
  /** Where chunk sizes come from. */
  readonly profile?: () => Profile;
}

/** Every route with each of some packers, and the bulk way; they share the pools, which go when this is disposed of. */
export class Routes implements Disposable {
  readonly pools: RoutePools;
  readonly backends: readonly RouteBackend[];
  readonly bulk: readonly BulkBackend[];

  constructor(
    packers: readonly Backend[],
    { driver, limits = {}, profile = () => UNCALIBRATED, hostPackers = [] }: RouteOptions = {},
  ) {
    this.pools = new RoutePools(driver, limits);
    this.backends = Object.freeze(
      ROUTES.flatMap((route) => packers.map((packer) => new RouteBackend(route, packer, this.pools, profile))),
    );
    this.bulk = Object.freeze(hostPackers.map((packer) => new BulkBackend(packer, this.pools)));
  }

  /** Kernels and plans of the backends must be disposed of before. */
  [Symbol.dispose](): void {
    this.pools[Symbol.dispose]();
  }
}
