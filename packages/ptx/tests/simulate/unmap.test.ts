import { expect, it } from "vitest";
import { buildKernel, encodeParameters, SimulatedMemory, SimulationError, translate } from "../../src/index.js";

/** Loads the byte at an address and stores it at another. */
const kernel = buildKernel("byte", { parameters: { from: "u64", to: "u64" } }, (builder, { from, to }) => {
  builder.store("global", to, [builder.load("global", from, { bits: 8 })], { bits: 8 });
});

it("unmapped bytes of an allocation fault, on either side of what is left", () => {
  const memory = new SimulatedMemory({ capacityBytes: 2 ** 20 });
  const { address } = memory.allocate(256);
  const target = memory.allocate(1).address;
  memory.write(
    address,
    Uint8Array.from({ length: 256 }, (_, i) => i),
  );
  memory.unmap(address + 64n, 64);
  memory.unmap(address + 192n, 64);
  const load = (offset: bigint): number => {
    const parameters = encodeParameters(kernel, { from: address + offset, to: target });
    translate(kernel).launch(memory, { grid: [1, 1, 1], block: [1, 1, 1], parameters });
    return memory.read(target, 1)[0] as number;
  };
  expect([0n, 63n, 128n, 191n].map(load)).toEqual([0, 63, 128, 191]);
  for (const offset of [64n, 127n, 192n, 255n]) {
    expect(() => load(offset)).toThrow(SimulationError);
    expect(() => memory.read(address + offset, 1)).toThrow(SimulationError);
  }
  expect(() => memory.unmap(address + 250n, 100)).toThrow("expected bytes of one allocation");
});
