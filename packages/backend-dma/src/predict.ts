import { scatteredLayout, type Conditions, type Move, type Prediction, type Profile } from "@stowage/backend-api";
import { copiesPerElement } from "./copies.js";

/** Measured on an H200 (driver 580); a profile's figures of the same names replace them. */
const DEFAULTS = {
  commitNs: 20_000,
  callNs: 6000,
  copyOnDeviceNs: 3100,
  copyToHostNs: 330,
  /** A row takes the engines this long, whatever its length; longer rows are bound by the rates. */
  rowOnDeviceNs: 0.15,
  rowToHostNs: 1.25,
  deviceBytesPerNs: 2000,
  hostBytesPerNs: 53,
  maxPitchBytes: 2 ** 31 - 1,
};

/** Calls and copies, then rows or bytes, whichever takes longer. */
export function predictDma(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
  const figures = { ...DEFAULTS, ...profile.figures["dma"] };
  const count = conditions.count === "any" ? 1 : conditions.count;
  const throughHost = conditions.sourceKind !== "device" || conditions.targetKind !== "device";
  const [copyNs, rowNs, rate] = throughHost
    ? [figures.copyToHostNs, figures.rowToHostNs, figures.hostBytesPerNs]
    : [figures.copyOnDeviceNs, figures.rowOnDeviceNs, figures.deviceBytesPerNs];
  const movedNs = moves.map((move) => {
    const { root, sizeBytes } = scatteredLayout(move);
    const copies = copiesPerElement(move, figures.maxPitchBytes) * count;
    return copies * copyNs + Math.max(root.blockCount * count * rowNs, (sizeBytes * count) / rate);
  });
  return { commitNs: figures.commitNs, runNs: figures.callNs + movedNs.reduce((sum, ns) => sum + ns, 0) };
}
