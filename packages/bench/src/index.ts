/// <reference lib="esnext.disposable" preserve="true" />
export type { Asked, Benched } from "./asked.js";
export { backendCommit } from "./backend-commit.js";
export { benchHost, type HostBench } from "./bench-host.js";
export { forEachBlock } from "./cell/blocks.js";
export { cellsOf, expectedScatter, requireSameBytes, type Cell } from "./cell/cell.js";
export type { Pattern } from "./cell/pattern.js";
export type { Commit, CommittedType, PackDirection } from "./committed-type.js";
export type { Contender, Prepared, Refusal } from "./contender.js";
export { formatBytes, formatNs, significant } from "./format.js";
export { backendContender, hostContender } from "./host-contender.js";
export { InterruptedError, interruption, type Interruption } from "./interruption.js";
export { measureCell, type Measured, type MeasureOptions } from "./measure-cell.js";
export { memcpyContender } from "./memcpy-contender.js";
export { grouped } from "./results/grouped.js";
export { meanOf, type Mean } from "./results/mean.js";
export { medianCommitNs } from "./commit-time.js";
export {
  ALL_MODES,
  bandwidth,
  cellKey,
  MODES,
  modeOf,
  SCHEMA,
  type AnyResults,
  type AnyRow,
  type CellMode,
  type Kind,
  type Machine,
  type Mode,
  type ResultRow,
  type Results,
} from "./results/row.js";
export { outputFile, outputFolder, type OutputFile } from "./results/output-file.js";
export { commitHash } from "./results/commit-hash.js";
export { scriptCommand, typedCommand } from "./results/typed-command.js";
export { heading, resultsFile, writeResults, type Heading, type ResultsFile } from "./results/write.js";
export { DEFAULT_SAMPLING, sampleInTurns, summarise, type Sampling, type Times } from "./sample.js";
export { namedWorkloads, workloadOfSize } from "./workloads/named-workloads.js";
export { PACKED_BYTES_EXPECTED, parsePackedBytes } from "./workloads/packed-bytes.js";
export { PEERS_GPU } from "./workloads/peers-gpu.js";
export { elementsOf, workloadSubject, type Elements, type Subject } from "./workloads/subject.js";
export { removeFolder } from "./remove-folder.js";
export { turnsOf } from "./turns.js";
export { WrongBytesError } from "./wrong-bytes-error.js";
