// The processor as its description has it, as one that nobody has described, and that one with what calibration found,
// beside plain C:
// node packages/backend-x64/bench/withheld.mjs PROFILE FILE [SIZES [PATTERN]]. PROFILE: by stowage calibrate
// --withhold-description
// --out PROFILE.
import { conditions, packMove, unpackMove } from "@stowage/backend-api";
import { workloadNames } from "@stowage/workloads";
import { readFileSync } from "node:fs";
import { undescribedTarget, X64Backend } from "../dist/index.js";
import { probeMachine } from "../dist/memory/machine.js";
import { openCell, verify } from "./cell.mjs";
import { measure } from "./measure.mjs";
import { rowsOfCell, summarise, writeResults } from "./results.mjs";

/** The workloads that have a loop in plain C. */
const APPLICATIONS = "^(FFT2|LAMMPS|MILC|NAS|SPECFEM|WRF)";
const [, , path, file, sizes = "16384,1048576", pattern = APPLICATIONS] = process.argv;
if (file === undefined) throw new Error("withheld: expected PROFILE and FILE, got fewer arguments");
const profile = JSON.parse(readFileSync(path, "utf8"));
const target = undescribedTarget();
const OTHERS = {
  undescribed: new X64Backend({ target }),
  calibrated: new X64Backend({ target, profile: () => profile }),
};
/** Whether the code is the same, so that nothing but noise tells the contenders apart. */
const writesTheSame = (move) => {
  const codeOf = (backend) => Buffer.from(backend.compile([move], conditions()).payload.code);
  return codeOf(new X64Backend()).equals(codeOf(OTHERS.calibrated));
};
const names = workloadNames().filter((name) => new RegExp(pattern).test(name));
const rows = [];
const ratios = { undescribed: [], calibrated: [] };
const lost = [];
for (const name of names)
  for (const bytes of sizes.split(",").map(Number))
    for (const direction of ["pack", "unpack"]) {
      const cell = openCell(name, bytes, direction);
      const { x64: described, ...contenders } = cell.contenders;
      const move = (direction === "pack" ? packMove : unpackMove)(cell.layout);
      for (const [who, backend] of Object.entries(OTHERS))
        contenders[who] = backend.load(backend.compile([move], conditions())).bind([cell.binding]);
      const plans = { described, ...contenders };
      verify({ ...cell, contenders: plans });
      const measured = measure(plans, { rounds: 9 });
      const ns = (who) => measured[who].medianNs;
      for (const who of Object.keys(ratios)) ratios[who].push(ns("described") / ns(who));
      const speedUp = (who) => ns("c-O3") / ns(who);
      if (speedUp("calibrated") < 0.9 && speedUp("described") >= 0.9 && !writesTheSame(move))
        lost.push(`${name}, ${bytes} bytes, ${direction}`);
      const { count, packedBytes } = cell;
      rows.push(...rowsOfCell({ workload: name, count, packedBytes, direction }, measured));
    }
for (const [who, each] of Object.entries(ratios))
  console.log(`speed of ${who} over described: ${JSON.stringify(summarise(each))}`);
console.log(`cells below 0.9 of plain C that were not below it: ${lost.length === 0 ? "none" : lost.join("; ")}`);
const { machine } = probeMachine();
writeResults(file, rows, { level: machine.level, processor: machine.processor });
