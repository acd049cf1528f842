import {
  copy2D,
  copy3D,
  copyBatch,
  copyBytes,
  type Copy,
  type CopySide,
  type DriverMemory,
} from "@stowage/cuda-driver";
import type { Cell } from "../cell/cell.js";
import type { Contender, Prepared } from "../contender.js";
import type { CellInput } from "./cell-input.js";
import { copyShapeOf, type Batch, type Rows } from "./copy-shape.js";
import { prepare } from "./device-run.js";
import type { Gpu } from "./gpu.js";
import { packedOutput, scatteredOutput, type Output } from "./output.js";
import { packedKind, type DeviceRoute } from "./routes.js";
import { withOutput } from "./with-output.js";

/**
 * A contender that copies the packed bytes once by the driver, from where the cell's bytes begin to where they end:
 * device to device, or over the bus in the cell's direction. No pack of that route is faster in the long run.
 */
export function memcpyContender(gpu: Gpu, input: CellInput, route: DeviceRoute): Contender {
  return {
    name: "memcpy",
    route,
    prepare: (cell) => {
      const away = packedKind(route);
      const [from, to] = cell.direction === "pack" ? (["device", away] as const) : ([away, "device"] as const);
      return withOutput(
        () => packedOutput(gpu, cell, to),
        (output) => {
          const copy = copyBytes(gpu.context, output.memory.address, input.packed(from).address, cell.packedBytes);
          return prepareCopy(gpu, "memcpy", copy, output);
        },
      );
    },
  };
}

/**
 * The prefix of the names of the driver's calls that move a layout by themselves: cuMemcpy2D, cuMemcpy3D,
 * cuMemcpyBatch.
 */
export const ROUTE_CALL = "cuMemcpy";

/**
 * The contender that moves the layout by one call of the driver. The list is empty where elements are contiguous, for
 * then memcpy is that call. The contender refuses where the call would be more than 2^14 copies, or the driver lacks
 * it.
 */
export function copyRouteContender(gpu: Gpu, input: CellInput, cell: Cell, route: DeviceRoute): readonly Contender[] {
  const shape = copyShapeOf(input.layout, cell.count, gpu.context.device.maxPitchBytes);
  if (shape === undefined) return [];
  if (shape.kind === "none") return [{ name: ROUTE_CALL, route, prepare: () => shape }];
  const name = `${ROUTE_CALL}${shape.kind === "batch" ? "Batch" : shape.kind}`;
  return [{ name, route, prepare: () => prepareRoute(gpu, input, cell, route, name, shape) }];
}

function prepareRoute(gpu: Gpu, input: CellInput, cell: Cell, route: DeviceRoute, name: string, shape: Rows | Batch) {
  const kind = packedKind(route);
  const packing = cell.direction === "pack";
  return withOutput(
    () => (packing ? packedOutput(gpu, cell, kind) : scatteredOutput(gpu, cell)),
    (output) => {
      const scattered = packing ? input.scattered : output.memory;
      const packed = packing ? output.memory : input.packed(kind);
      const origin = scattered.address + cell.originBytes;
      const copy =
        shape.kind === "batch" ? batch(gpu, cell, origin, packed, shape) : rows(gpu, cell, origin, packed, shape);
      return prepareCopy(gpu, name, copy, output);
    },
  );
}

function rows(gpu: Gpu, { direction }: Cell, origin: number, packed: DriverMemory, shape: Rows): Copy {
  const { widthBytes, rows, planes, pitchBytes, planeRows } = shape;
  const scattered: CopySide = { address: origin + shape.startBytes, host: false, pitchBytes, planeRows };
  const dense: CopySide = {
    address: packed.address,
    host: packed.kind === "pinned",
    pitchBytes: widthBytes,
    planeRows: rows,
  };
  const [to, from] = direction === "pack" ? [dense, scattered] : [scattered, dense];
  const box = { widthBytes, rows, planes };
  return shape.kind === "2D" ? copy2D(gpu.context, to, from, box) : copy3D(gpu.context, to, from, box);
}

function batch(
  gpu: Gpu,
  { direction }: Cell,
  origin: number,
  packed: DriverMemory,
  { offsetsBytes, lengthsBytes }: Batch,
): Copy {
  const scattered = offsetsBytes.map((offset) => origin + offset);
  let next = packed.address;
  const dense = lengthsBytes.map((length) => (next += length) - length);
  const [to, from] = direction === "pack" ? [dense, scattered] : [scattered, dense];
  return copyBatch(gpu.context, to, from, lengthsBytes);
}

function prepareCopy(gpu: Gpu, contender: string, copy: Copy, output: Output): Prepared {
  const send = () => {
    copy.run(gpu.stream);
    return { wait: () => gpu.stream.synchronize() };
  };
  return prepare(gpu, {
    contender,
    output,
    send,
    call: () => send().wait(), // the driver binds nothing
    [Symbol.dispose]: () => undefined,
  });
}
