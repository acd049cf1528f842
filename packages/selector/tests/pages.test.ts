import { conditions, copyMove, tabledMove, UNCALIBRATED, type MemoryKind, type Move } from "@stowage/backend-api";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { contiguous, denseLayout, predefined } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { createEngine } from "../src/index.js";

const POOL_PAGES = 4;
const pool = (pageBytes: number, seed = 0): Uint8Array =>
  Uint8Array.from({ length: POOL_PAGES * pageBytes }, (_, i) => (seed + i * 7) & 0xff);

/** An engine over a simulated device, and a paged copy between two of its pools. */
function paged(
  pageBytes: number,
  kinds: { source: "device" | "pinned"; target: "device" | "pinned" },
  tables: MemoryKind,
) {
  const driver = openSimulatedCuda();
  const context = driver.context();
  const made = {
    device: () => context.deviceMemory(POOL_PAGES * pageBytes),
    pinned: () => context.pinnedMemory(POOL_PAGES * pageBytes),
  };
  const engine = createEngine({ cuda: () => driver });
  const [source, target] = [made[kinds.source](), made[kinds.target]()];
  const pages = (mostPages?: number) =>
    engine.commitPages({
      groups: [
        {
          page: contiguous(pageBytes, predefined("MPI_BYTE")),
          source: { bases: [source], strideBytes: pageBytes },
          target: { bases: [target], strideBytes: pageBytes },
        },
      ],
      index: "u32",
      tableMemory: tables,
      ...(mostPages === undefined ? {} : { mostPages }),
    });
  return { engine, pages };
}

describe("the way of paged copies is chosen by how many pages they move", () => {
  const onDevice = { source: "device", target: "device" } as const;

  test("many pages, or who knows how many: one launch; a few long ones: the copy engines", () => {
    const { pages, engine } = paged(2048, onDevice, "host");
    expect(pages(4096).choice.chosen.name).toBe("cuda-generic");
    expect(pages().choice.chosen.name).toBe("cuda-generic");
    engine[Symbol.dispose]();
  });

  test("tables that a device writes are read by kernels alone", () => {
    const { pages, engine } = paged(2048, onDevice, "device");
    expect(pages(1).choice.chosen.name).toBe("cuda-generic");
    engine[Symbol.dispose]();
  });

  test("to and from pinned memory, too", () => {
    for (const kinds of [
      { source: "device", target: "pinned" },
      { source: "pinned", target: "device" },
    ] as const) {
      const { pages, engine } = paged(2048, kinds, "device");
      expect(pages(4096).choice.chosen.name).toBe("cuda-generic");
      engine[Symbol.dispose]();
    }
  });

  // results/h100/pages-host.json: a launch is ahead in each of them, by 1.2 to 12.
  test.each([
    [65_536, 16],
    [65_536, 1024],
    [24_576, 42],
    [24_576, 2730],
    [32_768, 128],
  ])(
    "%i bytes a page, %i pages to or from pinned memory: one launch, though bytes alone take longest",
    (bytes, most) => {
      for (const kinds of [
        { source: "device", target: "pinned" },
        { source: "pinned", target: "device" },
      ] as const) {
        const { pages, engine } = paged(bytes, kinds, "host");
        expect(pages(most).choice.chosen.name).toBe("cuda-generic");
        engine[Symbol.dispose]();
      }
    },
  );

  test("pageable memory is for hosts, and refused beside a device's", () => {
    using engine = createEngine({ cuda: openSimulatedCuda });
    const host = (tableMemory: MemoryKind) =>
      engine.commitPages({
        groups: [
          {
            page: contiguous(64, predefined("MPI_BYTE")),
            source: { bases: [pool(64)], strideBytes: 64 },
            target: { bases: [pool(64)], strideBytes: 64 },
          },
        ],
        index: "u32",
        tableMemory,
      });
    expect(["cpu", "x64"]).toContain(host("host").choice.chosen.name);
    expect(() => host("device")).toThrow("a GPU does not reach host memory: pin it, or copy it");
  });
});

describe("predictions of moves with tables", () => {
  using engine = createEngine({ cuda: openSimulatedCuda });
  const page = denseLayout(2048);
  const table = { index: "u32", strideBytes: 2048 } as const;
  const move: Move = tabledMove(copyMove(page, page), { source: table, target: table });
  const known = (count: number) => conditions({ sourceKind: "device", targetKind: "device", count });
  const runNs = (name: string, count: number): number =>
    engine.backends.find((each) => each.name === name)?.predict?.([move], known(count), UNCALIBRATED).runNs ?? NaN;

  test("a copy engine takes a copy for each page, a launch does not", () => {
    // results/h100/pages.json: 32 pages of 2 KiB took 158 us by copies, 512 took 2,428; by tables 11.7 and 12.1.
    expect(runNs("dma", 512) / runNs("dma", 32)).toBeGreaterThan(8);
    expect(runNs("cuda-generic", 512) / runNs("cuda-generic", 32)).toBeLessThan(2);
  });

  test("each backend that takes them says so", () => {
    for (const name of ["cpu", "x64", "cuda-generic", "dma"]) {
      const backend = engine.backends.find((each) => each.name === name);
      const host = conditions({ count: 4 });
      const on = name === "cpu" || name === "x64" ? host : known(4);
      if (backend === undefined || !backend.supports([move], on).ok) continue;
      const kernel = backend.load(backend.compile([move], on));
      expect(kernel.explain()).toContain(
        "tables at binding: source elements at u32 entries x 2048 B, target elements at u32 entries x 2048 B",
      );
      kernel[Symbol.dispose]();
    }
  });
});
