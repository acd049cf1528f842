import { DDTBENCH } from "./ddtbench/ddtbench.js";
import { WORKLOAD_GROUPS, type WorkloadDefinition } from "./definition.js";
import { CUBE_FACES } from "./jenkins/faces.js";
import { HYPERCUBES } from "./jenkins/hypercube.js";
import { STENCIL2D } from "./jenkins/stencil2d.js";
import { STRIDED } from "./jenkins/strided.js";
import { STRUCT24 } from "./jenkins/struct24.js";
import { VORONOI_BLOCKS } from "./jenkins/voronoi-block.js";
import { INDEXED_RANDOM } from "./kernels/indexed-random.js";
import { TRANSPOSES } from "./kernels/transposes.js";
import { PAGES } from "./pages/paged-copy.js";
import { PEER_BOXES } from "./peers/boxes.js";
import { PEER_SCATTERED } from "./peers/scattered.js";
import { PEER_STRIDED } from "./peers/strided.js";
import { EQUIVALENTS } from "./tempi/equivalents.js";
import { HALO26 } from "./tempi/halo26.js";

const DEFINITIONS: readonly WorkloadDefinition[] = [
  ...DDTBENCH,
  ...STRIDED,
  ...HYPERCUBES,
  STRUCT24,
  ...CUBE_FACES,
  ...VORONOI_BLOCKS,
  ...STENCIL2D,
  ...HALO26,
  ...EQUIVALENTS,
  INDEXED_RANDOM,
  ...TRANSPOSES,
  ...PEER_STRIDED,
  ...PEER_BOXES,
  ...PEER_SCATTERED,
  ...PAGES,
];

/** Every workload there is, by name, group after group. */
export const CATALOGUE: ReadonlyMap<string, WorkloadDefinition> = new Map(
  WORKLOAD_GROUPS.flatMap((group) => DEFINITIONS.filter((definition) => definition.group === group)).map(
    (definition) => [definition.name, definition],
  ),
);
