import type { Backend } from "@stowage/backend-api";
import { ALL_MODES, medianCommitNs, type Elements, type ResultRow } from "@stowage/bench";
import type { Gpu } from "@stowage/bench/device";
import { boundsOf } from "@stowage/ir";
import { engineCommit } from "../contenders/engine-commit.js";
import { deviceCases } from "./device-cases.js";
import { hostCases, type Cases } from "./host-cases.js";
import { measureCalls } from "./measure-calls.js";
import { mixedTypes, TOLD } from "./types.js";
import { TOLD_KINDS } from "./view-kinds.js";

export interface CallsBench {
  readonly backends: readonly Backend[];
  /** The GPU whose memory is called on; absent: the host's. */
  readonly gpu?: Gpu | undefined;
  readonly budgetMs: number;
  /** What the first commit of a process costs, where it is asked. */
  readonly firstCommitNs?: (backend: string, type: string) => number | undefined;
  readonly remark: (line: string) => void;
}

/** What a call costs besides moving bytes: bound plans, rebound ones, the public call, and commits. */
export function benchCalls({ backends, gpu, budgetMs, firstCommitNs, remark }: CallsBench): readonly ResultRow[] {
  return backends.flatMap((backend) => {
    const told = TOLD.flatMap((type) => {
      using cases = gpu === undefined ? hostCases(backend, [type], TOLD_KINDS) : deviceCases(gpu, backend, [type]);
      if (cases.cases.length === 0) return refused(cases, backend, remark);
      const commitNs = commitTime(backend, type, gpu, budgetMs);
      const firstNs = firstCommitNs?.(backend.name, type.name);
      const packedBytes = type.count * boundsOf(type.datatype).sizeBytes;
      const more = { packedBytes, commitNs, ...(firstNs === undefined ? {} : { firstCommitNs: firstNs }) };
      return rowsOf(cases, backend, type.name, gpu, budgetMs, more);
    });
    return [...told, ...mixed(backend, gpu, budgetMs, remark)];
  });
}

function mixed(
  backend: Backend,
  gpu: Gpu | undefined,
  budgetMs: number,
  remark: (line: string) => void,
): readonly ResultRow[] {
  using cases = gpu === undefined ? hostCases(backend, mixedTypes()) : deviceCases(gpu, backend, mixedTypes());
  refused(cases, backend, remark);
  if (cases.cases.length === 0) return [];
  const name = gpu === undefined ? "16 datatypes, 5 kinds of view" : "16 datatypes";
  return rowsOf(cases, backend, name, gpu, budgetMs, { packedBytes: 0, commitNs: 0 });
}

function refused({ refusals }: Cases, { name }: Backend, remark: (line: string) => void): readonly ResultRow[] {
  for (const refusal of refusals) remark(`${name}: ${refusal}`);
  return [];
}

function rowsOf(
  { cases }: Cases,
  { name }: Backend,
  workload: string,
  gpu: Gpu | undefined,
  budgetMs: number,
  more: Pick<ResultRow, "packedBytes" | "commitNs" | "firstCommitNs">,
): readonly ResultRow[] {
  const times = measureCalls(cases, budgetMs);
  return ALL_MODES.map((mode) => ({
    ...{ workload, count: 1, direction: "pack", route: gpu === undefined ? "host" : "device", contender: name, mode },
    ...times[mode],
    verified: true,
    ...more,
  }));
}

/** A program that commits one type commits others: both compilers, ours and JavaScript's, are warm. */
const WARM_UPS = 2000;
/** Budgets that they may take: a driver's compiler gets none the quicker by them. */
const WARM_UP_BUDGETS = 25;

function commitTime(backend: Backend, { datatype }: Elements, gpu: Gpu | undefined, budgetMs: number): number {
  const commit = engineCommit(
    { backends: [backend] },
    gpu === undefined ? {} : { memory: "device", packedMemory: "device" },
  );
  const end = performance.now() + WARM_UP_BUDGETS * budgetMs;
  for (let i = 0; i < WARM_UPS && performance.now() < end; i++) commit(datatype, "pack")[Symbol.dispose]();
  return medianCommitNs(() => commit(datatype, "pack"));
}
