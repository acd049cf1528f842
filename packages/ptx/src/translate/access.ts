import type { AccessBits, Load, LoadParameter, Register, Store } from "../ir/index.js";
import type { MemoryOpName } from "../wasm/opcodes.js";
import { FAULT, FUNCTION, globalIndex, push, type Lane, type Site } from "./translator.js";
import { SITE_BYTES } from "./workspace.js";

const LOAD: Readonly<Record<AccessBits, MemoryOpName>> = {
  8: "i32Load8U",
  16: "i32Load16U",
  32: "i32Load",
  64: "i64Load",
};
const STORE: Readonly<Record<AccessBits, MemoryOpName>> = {
  8: "i32Store8",
  16: "i32Store16",
  32: "i32Store",
  64: "i64Store",
};

export const accessBytes = ({ bits, lanes }: Pick<Site, "bits" | "lanes">): number => (bits / 8) * lanes;

export function load(lane: Lane, instruction: Load): void {
  const site: Site = { ...instruction, writes: false, lanes: instruction.targets.length };
  const offset = locate(lane, instruction, site);
  loadTargets(lane, instruction.targets, instruction.bits, offset);
}

export function store(lane: Lane, instruction: Store): void {
  const site: Site = { ...instruction, writes: true, lanes: instruction.values.length };
  const offset = locate(lane, instruction, site);
  instruction.values.forEach((value, i) => {
    lane.code.get(lane.place);
    push(lane, value);
    lane.code.memory(STORE[instruction.bits], offset + (i * instruction.bits) / 8);
  });
}

/** Checks the access and sets lane.place; returns what is still to be added to it. */
function locate(lane: Lane, access: Load | Store, site: Site): number {
  if (access.space === "global") {
    locateGlobal(lane, access, site);
    return 0;
  }
  locateShared(lane, access, site);
  return lane.translator.workspace.shared;
}

function locateGlobal(lane: Lane, access: Load | Store, site: Site): void {
  const { code, translator, base, address, place } = lane;
  const { workspace, sites, options } = translator;
  const index = sites.push(site) - 1;
  const bytes = accessBytes(site);
  const cache = workspace.sites + index * SITE_BYTES;
  push(lane, access.address);
  if (access.offsetBytes !== 0) code.i64(BigInt(access.offsetBytes)).op("i64Add");
  code.tee(address);
  // Inside the window hit last, and aligned? Otherwise look the address up, or fault.
  code
    .get(base)
    .memory("i64Load", cache)
    .op("i64Sub")
    .get(base)
    .memory("i64Load", cache + 8)
    .op("i64GeU");
  if (bytes > 1)
    code
      .get(address)
      .op("i32WrapI64")
      .i32(bytes - 1)
      .op("i32And", "i32Or");
  code.if(() => code.i32(index).get(address).call(FUNCTION.resolve));
  code
    .get(address)
    .get(base)
    .memory("i64Load", cache + 16)
    .op("i64Add", "i32WrapI64")
    .set(place);
  if (options.countAccesses !== true) return;
  code
    .get(base)
    .get(lane.ordinal)
    .op("i32Add")
    .get(address)
    .memory("i64Store", workspace.addresses + index * 256);
}

function locateShared(lane: Lane, access: Load | Store, site: Site): void {
  const { code, translator, place } = lane;
  const bytes = accessBytes(site);
  const { sharedBytes } = translator.kernel;
  push(lane, access.address);
  if (access.offsetBytes !== 0) code.i32(access.offsetBytes).op("i32Add");
  code
    .tee(place)
    .i32(Math.max(0, sharedBytes - bytes + 1))
    .op("i32GeU");
  code
    .get(place)
    .i32(bytes - 1)
    .op("i32And", "i32Or");
  code.if(() => code.i32(FAULT.sharedAddress).get(place).call(FUNCTION.fault));
  if (translator.options.checkRaces === true) {
    code
      .get(place)
      .i32(bytes)
      .get(lane.warp)
      .i32(site.writes ? 1 : 0)
      .call(FUNCTION.race);
  }
  code.get(place).get(lane.base).op("i32Add").set(place);
}

export function loadParameter(lane: Lane, instruction: LoadParameter): void {
  const { code, place, base, translator } = lane;
  const { kernel } = translator;
  const parameter = kernel.parameters.find(({ name }) => name === instruction.parameter);
  if (parameter === undefined)
    throw new TypeError(`kernel ${kernel.name}: expected parameter ${instruction.parameter}`);
  const bytes = accessBytes({ bits: instruction.bits, lanes: instruction.targets.length });
  const last = parameter.sizeBytes - bytes - instruction.offsetBytes;
  if (last < 0)
    throw new RangeError(`parameter ${parameter.name} of ${kernel.name}: read past its ${parameter.sizeBytes} bytes`);
  code.get(base);
  if (instruction.index !== null) {
    push(lane, instruction.index);
    code
      .tee(place)
      .i32(last)
      .op("i32GtU")
      .get(place)
      .i32(bytes - 1)
      .op("i32And", "i32Or");
    code.if(() => code.i32(FAULT.parameterIndex).get(place).call(FUNCTION.fault));
    code.get(place).op("i32Add");
  }
  code.set(place);
  loadTargets(lane, instruction.targets, instruction.bits, parameter.offsetBytes + instruction.offsetBytes);
}

function loadTargets(lane: Lane, targets: readonly Register[], bits: AccessBits, offset: number): void {
  targets.forEach((target, i) => {
    lane.code
      .get(lane.place)
      .memory(LOAD[bits], offset + (i * bits) / 8)
      .set(lane.local(target));
  });
}

/** Behind a segment: adds what its sites [from, to) touched, the active lanes' addresses lying in the workspace. */
export function countSites(lane: Lane, from: number, to: number, mask: number): void {
  for (let index = from; index < to; index++) {
    const site = lane.translator.sites[index];
    if (site === undefined || site.space !== "global") continue;
    if (lane.translator.options.onAccess !== undefined) lane.code.i32(index).get(mask).call(FUNCTION.access);
    countSite(lane, index, site);
  }
}

function countSite(lane: Lane, index: number, site: Site): void {
  const { code, base, place, ordinal, translator } = lane;
  const kind = site.writes ? "store" : "load";
  const list = translator.workspace.addresses + index * 256;
  const addTo = (name: "Requests" | "Bytes" | "Sectors" | "Lines", value: () => void): void => {
    const global = globalIndex(`${kind}${name}`);
    code.getGlobal(global);
    value();
    code.op("i64ExtendI32U", "i64Add").setGlobal(global);
  };
  const distinct = (count: () => void, shiftBits: number): void => {
    code.get(base).i32(list).op("i32Add");
    count();
    code.i32(shiftBits).call(FUNCTION.distinct).tee(place);
  };
  const lanes = (): void => void code.get(ordinal).i32(3).op("i32ShrU");
  addTo("Requests", () => code.i32(1));
  addTo("Bytes", () => (lanes(), code.i32(accessBytes(site)).op("i32Mul")));
  // Sectors of 32 bytes; of those, lines of 4 sectors.
  addTo("Sectors", () => distinct(lanes, 5));
  addTo("Lines", () => distinct(() => code.get(place), 2));
}
