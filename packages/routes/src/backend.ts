import {
  ArtifactError,
  artifactKey,
  requireArtifactOf,
  requireConditions,
  requireMoves,
  unsupported,
  UnsupportedMoveError,
  type Artifact,
  type Backend,
  type Conditions,
  type Data,
  type Kernel,
  type Move,
  type Prediction,
  type Profile,
  type Support,
  isReducing,
  NO_REDUCTIONS,
} from "@stowage/backend-api";
import { figuresOf } from "./figures.js";
import type { RoutePools } from "./pool/route-pools.js";
import { firstShare, termsOf, timeOf } from "./predict.js";
import { RouteKernel } from "./route-kernel.js";
import type { Route } from "./route.js";
import {
  areDense,
  areOfHost,
  BETWEEN_HOSTS,
  hostSideOf,
  isOnDevice,
  isOnHost,
  kindOn,
  otherSide,
  packedIn,
} from "./sides.js";

const FORMAT_VERSION = 1;

/**
 * One route with one packer: a backend between a device's memory and the host's, where packed streams lie. compile
 * throws an UnsupportedMoveError for moves that it does not support, load an ArtifactError for another's artifact.
 */
export class RouteBackend implements Backend {
  /** The name, such as "staged/cuda-strided". */
  readonly name: string;
  readonly route: Route;
  /** The backend that packs on the device. */
  readonly packer: Backend;
  readonly #pools: RoutePools;
  readonly #profile: () => Profile;

  /** The packer and the pools live on: who made them disposes of them. `profile` is asked when a kernel is loaded. */
  constructor(route: Route, packer: Backend, pools: RoutePools, profile: () => Profile) {
    this.name = `${route.name}/${packer.name}`;
    this.route = route;
    this.packer = packer;
    this.#pools = pools;
    this.#profile = profile;
  }

  supports(moves: readonly Move[], conditions: Conditions): Support {
    requireMoves(moves);
    if (moves.some(isReducing)) return NO_REDUCTIONS;
    if (areOfHost(conditions)) return BETWEEN_HOSTS;
    requireConditions(conditions);
    const side = hostSideOf(conditions);
    const host = kindOn(conditions, side);
    const device = kindOn(conditions, otherSide(side));
    if (!isOnHost(host)) return unsupported(`a route has one side on the host, not ${host} memory`);
    if (!isOnDevice(device)) return unsupported(`a route has one side on a device, not ${device} memory`);
    const { host: taken, name } = this.route;
    if (!taken.includes(host))
      return unsupported(`route ${name} takes ${taken.join(" or ")} memory, not ${host} memory`);
    if (!areDense(moves, side)) return unsupported("a route has packed streams on the host");
    return this.packer.supports(moves, this.#packed(conditions));
  }

  predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
    requireMoves(moves);
    requireConditions(conditions);
    const packed = this.#packed(conditions);
    const terms = termsOf(this.route, this.packer, {
      moves,
      conditions,
      packed,
      side: hostSideOf(conditions),
      profile,
    });
    const count = conditions.count === "any" ? 1 : conditions.count;
    const bytes = moves.reduce((sum, { source }) => sum + source.sizeBytes * count, 0);
    return timeOf(this.route, terms, firstShare(bytes, figuresOf(profile)));
  }

  compile(moves: readonly Move[], conditions: Conditions): Artifact {
    const support = this.supports(moves, conditions);
    if (!support.ok) throw new UnsupportedMoveError(this.name, support.reason);
    const { formatVersion, key: packerKey, payload } = this.packer.compile(moves, this.#packed(conditions));
    const key = artifactKey(this.name, FORMAT_VERSION, moves, conditions);
    const own = { formatVersion, key: packerKey, payload };
    return { backend: this.name, formatVersion: FORMAT_VERSION, key, moves, conditions, payload: own };
  }

  load(artifact: Artifact): Kernel {
    const { moves, conditions } = requireArtifactOf(artifact, this.name, FORMAT_VERSION);
    const packer = this.packer.load(this.#packerArtifact(artifact));
    return new RouteKernel({
      route: this.route,
      moves,
      conditions,
      side: hostSideOf(conditions),
      packer,
      packerName: this.packer.name,
      figures: figuresOf(this.#profile()),
      poolOn: (device) => this.#pools.on(device),
    });
  }

  /** What the packer is told: a staging buffer on the device, or mapped memory and few multiprocessors for it. */
  #packed(conditions: Conditions): Conditions {
    const side = hostSideOf(conditions);
    if (this.route.throughDevice) return packedIn(conditions, side, "device");
    const { blocksToHost, blocksFromHost } = figuresOf(this.#profile());
    return Object.freeze({ smBudget: side === "target" ? blocksToHost : blocksFromHost, ...conditions });
  }

  #packerArtifact({ moves, conditions, payload }: Artifact): Artifact {
    const held = packerPartsOf(payload, this.name);
    return { backend: this.packer.name, ...held, moves, conditions: this.#packed(conditions) };
  }
}

function packerPartsOf(payload: Data, name: string): Pick<Artifact, "formatVersion" | "key" | "payload"> {
  if (payload !== null && typeof payload === "object" && !Array.isArray(payload) && !ArrayBuffer.isView(payload)) {
    const { formatVersion, key, payload: inner = null } = payload as { readonly [field: string]: Data | undefined };
    if (typeof formatVersion === "number" && typeof key === "string") return { formatVersion, key, payload: inner };
  }
  throw new ArtifactError(`payload of a ${name} artifact: expected a packer's, got another record`);
}
