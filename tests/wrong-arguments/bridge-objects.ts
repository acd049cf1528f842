import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { haloExchange, Mailbox, type MpiFile, type Request, type Window } from "@stowage/mpi-bridge";
import { predefined, vector } from "@stowage/ir";
import { elements, late, mpi, world } from "./bridge.js";
import { refusing, type Call } from "./call.js";
import { byte, bytes } from "./subjects.js";

const double = predefined("MPI_DOUBLE");

let made: Window | undefined;
/** In an epoch that never ends. */
const window = (): Window => {
  if (made !== undefined) return made;
  made = mpi().createWindow(world(), new Float64Array(16), { unitBytes: 8 });
  made.lockAll();
  return made;
};

let own: Window | undefined;
/** One whose epochs are what is tried. */
const resting = (): Window => (own ??= mpi().createWindow(world(), new Float64Array(16), { unitBytes: 8 }));

/** An epoch that begins with a call, and ends. */
const epoch =
  (begin: (window: Window, ...given: never[]) => void, end: (window: Window) => void): Call[1] =>
  (...given) => {
    begin(resting(), ...given);
    end(resting());
  };

const origin = () => ({ buffer: new Float64Array(8), datatype: vector(2, 1, 2, double), count: 2 });
const target = () => ({ displacement: 1, datatype: vector(2, 1, 2, double), count: 2 });

const WINDOWS: readonly Call[] = [
  [
    "World.createWindow",
    late(mpi, "createWindow"),
    () => [world(), new Float64Array(4), { unitBytes: 8, route: "packed", peers: "ours" }],
  ],
  ["Window.put", late(window, "put"), () => [origin(), 0, target()]],
  ["Window.get", late(window, "get"), () => [origin(), 0, target()]],
  ["Window.accumulate", late(window, "accumulate"), () => [origin(), 0, target(), { op: "sum" }]],
  ["Window.planAccumulate", late(window, "planAccumulate"), () => [origin(), 0, target(), { op: "sum" }]],
  ["Window.flush", late(window, "flush"), () => [0]],
  [
    "Window.fence",
    epoch(
      (each, ...given) => each.fence(...given),
      (each) => each.fence({ last: true }),
    ),
    () => [{ last: true, timeoutMs: 20 }],
  ],
  [
    "Window.lock",
    epoch(
      (each, ...given) => each.lock(...(given as unknown as [number])),
      (each) => each.unlock(0),
    ),
    () => [0, "exclusive"],
  ],
  [
    "Window.unlock",
    (...given: never[]) => {
      resting().lock(0);
      try {
        resting().unlock(...(given as unknown as [number]));
      } catch (error) {
        resting().unlock(0);
        throw error;
      }
    },
    () => [0],
  ],
];

let path: string | undefined;
const filePath = (): string => {
  if (path !== undefined) return path;
  path = join(mkdtempSync(join(tmpdir(), "stowage-wrong-arguments-")), "file");
  writeFileSync(path, bytes(4096));
  return path;
};

let opened: MpiFile | undefined;
const file = (): MpiFile => (opened ??= mpi().openFile(world(), filePath(), { mode: "rw" }));
const viewed = (): MpiFile => {
  file().setView();
  return file();
};

const FILES: readonly Call[] = [
  [
    "World.openFile",
    late(mpi, "openFile"),
    () => [world(), filePath(), { mode: "r", route: "packed", stripeBytes: 4096, peers: "ours" }],
  ],
  ["MpiFile.setView", late(file, "setView"), () => [{ displacementBytes: 8, etype: byte, filetype: byte }]],
  ["MpiFile.writeAtAll", late(viewed, "writeAtAll"), () => [8, elements()]],
  ["MpiFile.readAtAll", refusing(late(viewed, "readAtAll")), () => [8, elements()]],
  ["MpiFile.resize", late(file, "resize"), () => [4096]],
];

const array = () => ({ memory: new Float64Array(36), sizes: [6, 6], element: double });
const halo = () => ({ array: array(), radius: [1, 1], periodic: [true, false], grid: [1, 1], exchange: "alltoallv" });

let post: Mailbox | undefined;
const mailbox = (): Mailbox => (post ??= new Mailbox(world()));

/** One that ends at once, however long it is waited for. */
function arriving(): Request {
  const request = world().irecv(bytes(1), 0, { tag: 91 });
  request.cancel();
  return request;
}

/** What each call begins ends with it. */
const ended =
  (of: (request: Request) => (...given: never[]) => unknown): Call[1] =>
  (...given) => {
    const request = arriving();
    try {
      return of(request)(...given);
    } finally {
      request.free();
    }
  };

const OTHERS: readonly Call[] = [
  ["haloExchange", haloExchange, () => [world(), halo()]],
  ["Mailbox.irecv", late(mailbox, "irecv"), () => [bytes(4), 0, 3]],
  [
    "Request.wait",
    refusing(
      ended(
        (request) =>
          (...given) =>
            request.wait(...(given as unknown as [object])),
      ),
    ),
    () => [{ timeoutMs: 1 }],
  ],
];

export const BRIDGE_OBJECTS: readonly Call[] = [...WINDOWS, ...FILES, ...OTHERS];
