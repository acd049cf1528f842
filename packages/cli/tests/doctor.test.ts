import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { createEngine, MODELS_VERSION, PROFILE_SCHEMA, profileText, thisMachine } from "@stowage/selector";
import { afterEach, describe, expect, test, vi } from "vitest";
import { backendFacts } from "../src/doctor/backend-facts.js";
import { factsText } from "../src/doctor/doctor.js";
import { gpuFacts } from "../src/doctor/gpu-facts.js";
import { nativeFacts } from "../src/doctor/native-facts.js";
import { profileFacts } from "../src/doctor/profile-facts.js";

const CUDA = ["cuda-generic", "cuda-generic-specialised", "cuda-strided", "dma"];

describe("a machine with two GPUs", () => {
  const open = () => openSimulatedCuda({ devices: 2 });

  test("has a line for its driver, and two for each device", () => {
    expect(gpuFacts(open)).toEqual([
      { name: "NVIDIA driver", finding: "simulated, as of CUDA 13.0" },
      ...[0, 1].flatMap((ordinal) => [
        {
          name: `GPU ${ordinal}`,
          finding: `Simulated GPU ${ordinal}, 141 GiB, 132 multiprocessors, 3 copy engines, compute capability 9.0`,
        },
        { name: `GPU ${ordinal} self-check`, finding: expect.stringMatching(/^(\d+) of \1 pass$/) as string },
      ]),
    ]);
  });

  test("runs the backends of the host and of GPUs", () => {
    using engine = createEngine({ cuda: open });
    for (const { name, finding } of backendFacts(engine)) {
      if (CUDA.includes(name.slice("backend ".length))) expect(finding).toBe("runs here (device memory)");
      if (name === "backend cpu") expect(finding).toBe("runs here (host memory)");
    }
  });
});

describe.each([
  [
    "without a driver",
    () => openCuda("libnowhere.so.1"),
    /^libnowhere\.so\.1: expected the NVIDIA driver's library, got none/,
  ],
  [
    "with an old driver",
    () => openSimulatedCuda({ version: 11_040 }),
    /^cuDriverGetVersion: expected CUDA 12\.0 or later, got 11\.4: update/,
  ],
  ["without a device", () => openSimulatedCuda({ devices: 0 }), /^cuInit: CUDA_ERROR_NO_DEVICE .*CUDA_VISIBLE_DEVICES/],
] as const)("a machine %s", (_, open, reason) => {
  test("says so in one line, and why", () => {
    const facts = gpuFacts(open);
    expect(facts).toEqual([{ name: "NVIDIA driver", finding: expect.stringMatching(/^none: /) as string }]);
    expect(facts[0]?.finding.slice("none: ".length)).toMatch(reason);
    expect(facts[0]?.finding).not.toContain("\n");
  });

  test("runs the backends of the host; those of GPUs say why not, in one line each", () => {
    using engine = createEngine({ cuda: open });
    for (const { name, finding } of backendFacts(engine)) {
      if (CUDA.includes(name.slice("backend ".length))) expect(finding.slice("no: ".length)).toMatch(reason);
      if (name === "backend cpu") expect(finding).toBe("runs here (host memory)");
    }
  });
});

test("a reason is given once, and those after it name where", () => {
  const open = () => openCuda("libnowhere.so.1");
  using engine = createEngine({ cuda: open });
  const text = factsText([...gpuFacts(open), ...backendFacts(engine)]);
  expect(text.match(/install the NVIDIA driver/g)).toHaveLength(1);
  expect(text).toMatch(/^backend dma +no: as NVIDIA driver$/m);
});

test("without koffi's native part a line says so", () => {
  const without = () => {
    throw new Error("cannot open shared object file\nRequire stack: ...");
  };
  expect(nativeFacts(without)).toEqual([
    {
      name: "native calls",
      finding: expect.stringMatching(
        /^none: expected koffi's native part for \S+, got none \(cannot open shared object file\): npm install koffi$/,
      ) as string,
    },
  ]);
  expect(nativeFacts()[0]?.finding).toMatch(/^koffi \d/);
});

test("a device that fails its self-check is named with what went wrong", () => {
  const fault = (call: string) => (call === "cuMemcpy2DAsync_v2" ? 999 : undefined);
  const facts = gpuFacts(() => openSimulatedCuda({ fault }));
  expect(facts.at(-1)?.finding).toMatch(/^2D copies: cuMemcpy2DAsync_v2: CUDA_ERROR_UNKNOWN/);
  expect(facts.filter(({ isWrong }) => isWrong).map(({ name }) => name)).toEqual(["GPU 0 self-check"]);
});

describe("a profile of another machine", () => {
  afterEach(() => vi.unstubAllEnvs());

  const findingOf = (measured: { gpu: string | null; driver: string | null; cores?: number }): string | undefined => {
    const folder = mkdtempSync(join(tmpdir(), "stowage-doctor-"));
    const path = join(folder, "profile.json");
    const machine = { ...thisMachine(), ...measured };
    const about = { schema: PROFILE_SCHEMA, models: MODELS_VERSION, date: "2026-11-22", noise: 0 } as const;
    writeFileSync(path, profileText({ ...about, machine, figures: {} }));
    vi.stubEnv("STOWAGE_PROFILE", path);
    try {
      return profileFacts(() => openSimulatedCuda())[0]?.finding.replace(path, "PATH");
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const [gpu, driver] = ["simulated", "simulated, as of CUDA 13.0"];

  test("is called stale for its GPU, its driver and its processor, each with what it was", () => {
    expect(findingOf({ gpu, driver })).toBe("PATH");
    expect(findingOf({ gpu: "NVIDIA A100", driver })).toBe("stale: the GPU is simulated, it was NVIDIA A100");
    expect(findingOf({ gpu, driver: "535.1" })).toBe(`stale: the driver is ${driver}, it was 535.1`);
    expect(findingOf({ gpu: null, driver: null })).toContain("the GPU is simulated, it was none");
    expect(findingOf({ gpu, driver, cores: 1000 })).toMatch(/^PATH is stale \(\d+ cores, it had 1000\)/);
  });
});
