import { ArtifactError, conditions, decodeArtifact, encodeArtifact, packMove } from "@stowage/backend-api";
import { dense, layout, stream } from "@stowage/ir";
import { expect, test } from "vitest";
import { CpuBackend } from "../../src/index.js";

const column = layout(0, stream(4, 16, dense(4)), { lowerBoundBytes: 0, extentBytes: 4 });
const backend = new CpuBackend();

test("an artifact is data: stored and read back, it explains itself alike", () => {
  const artifact = backend.compile([packMove(column)], conditions());
  using fresh = new CpuBackend().load(decodeArtifact(encodeArtifact(artifact)));
  expect(fresh.explain()).toBe(
    [
      "# source: 16 bytes an element, elements 4 bytes apart",
      "EXIT",
      "  VECTORFINAL(4,1,16,4,4)",
      "    CONTIGFINAL(4)",
      "BOTTOM",
      "",
      "# target: 16 bytes an element, elements 16 bytes apart",
      "EXIT",
      "  CONTIGFINAL(16)",
      "BOTTOM",
      "",
    ].join("\n"),
  );
});

test.each([
  ["another backend's", { backend: "x64" }, "artifact: expected format 1 of cpu, got format 1 of x64"],
  ["another format's", { formatVersion: 2 }, "artifact: expected format 1 of cpu, got format 2 of cpu"],
  [
    "one without programs",
    { payload: null },
    "payload of an artifact: expected the programs of 1 moves, got something else",
  ],
  [
    "one whose program is none",
    { payload: [{ source: [{ kind: "EXIT" }], target: [] }] },
    "source program of an artifact: end of the program: expected a type, got nothing",
  ],
  [
    "one of unknown primitives",
    { payload: [{ source: [{ kind: "EXIT" }, { kind: "HALT" }], target: [] }] },
    "source program of an artifact: primitive 2 (HALT): expected a type, got HALT",
  ],
  [
    "one of other things",
    { payload: [{ source: [4, null], target: [] }] },
    "source program of an artifact: primitive 1 (none): expected EXIT, got undefined",
  ],
  [
    "one whose table is a plain list",
    {
      payload: [
        {
          source: [
            { kind: "EXIT" },
            {
              kind: "BLOCKINDEXFINAL",
              count: 1,
              blocklength: 1,
              displacementsBytes: [0],
              sizeBytes: 8,
              extentBytes: 8,
            },
            { kind: "CONTIGFINAL", lengthBytes: 8 },
            { kind: "BOTTOM" },
          ],
          target: [],
        },
      ],
    },
    "source program of an artifact: primitive 2 (BLOCKINDEXFINAL): displacementsBytes: expected a table of integers, got object",
  ],
  [
    "one with a field missing",
    { payload: [{ source: [{ kind: "EXIT" }, { kind: "CONTIGFINAL" }, { kind: "BOTTOM" }], target: [] }] },
    "source program of an artifact: primitive 2 (CONTIGFINAL): lengthBytes: expected a safe integer, got undefined",
  ],
])("%s is refused", (_, damage, message) => {
  const artifact = { ...backend.compile([packMove(column)], conditions()), ...damage };
  expect(() => backend.load(artifact)).toThrow(new ArtifactError(message));
});
