import { scatteredLayout, type Conditions, type Move, type Prediction, type Profile } from "@stowage/backend-api";
import { boxOf, type Box } from "@stowage/ir";
import { WIDEST_WORD_BYTES } from "./shape.js";
import { alongDimension } from "./transpose.js";

/** Measured on an H200 (driver 580); a profile's figures of the same names replace them. */
const DEFAULTS = {
  launchNs: 8000,
  moveNs: 30,
  commitNs: 7_000_000,
  deviceBytesPerNs: 4000,
  hostBytesPerNs: 52,
  l2FetchBytes: 64,
};

/** Launch, and the bytes of both sides: of the scattered one, whole fetches of L2 for each row. */
export function predictStrided(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
  const figures = { ...DEFAULTS, ...profile.figures["cuda-strided"] };
  const count = conditions.count === "any" ? 1 : conditions.count;
  const throughHost = conditions.sourceKind !== "device" || conditions.targetKind !== "device";
  const shareOfDevice = Math.min(1, (conditions.smBudget ?? 132) / 66);
  const deviceRate = figures.deviceBytesPerNs * shareOfDevice;
  const movedNs = moves.map((move) => {
    const layout = scatteredLayout(move);
    const packedBytes = layout.sizeBytes * count;
    const scatteredBytes = packedBytes * overfetch(boxOf(layout), figures.l2FetchBytes);
    const deviceNs = (packedBytes + scatteredBytes) / deviceRate;
    return figures.moveNs + Math.max(deviceNs, throughHost ? packedBytes / figures.hostBytesPerNs : 0);
  });
  return { commitNs: figures.commitNs, runNs: figures.launchNs + movedNs.reduce((sum, ns) => sum + ns, 0) };
}

/** Bytes fetched for a byte used. */
function overfetch(box: Box | undefined, fetchBytes: number): number {
  if (box === undefined || box.rowBytes === 0) return 1;
  const { rowBytes, dimensions } = box;
  if (alongDimension(box, rowBytes) !== undefined) return 1;
  const nearest = dimensions[0]?.strideBytes ?? rowBytes;
  const aligned = rowBytes % WIDEST_WORD_BYTES === 0;
  const perRow = Math.ceil(rowBytes / fetchBytes + (aligned ? 0 : 0.5)) * fetchBytes;
  return Math.max(1, Math.min(perRow, Math.max(Math.abs(nearest), rowBytes)) / rowBytes);
}
