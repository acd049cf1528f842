import { LAUNCH_FORMAT } from "@stowage/backend-cuda-generic";
import { cConstants, cRecords } from "./c-records.js";

const { header, transfer, node, kinds, mostBytes } = LAUNCH_FORMAT;

/** What C that launches kernels knows of a launch's parameters: runtime/launch.h stands on it. */
export const launchRecords =
  (): string => `/* --- A launch: packages/backend-cuda-generic/src/kernel/plan-block.ts --- */

${cConstants("LAUNCH", { mostBytes })}
${cConstants("LAUNCH_NODE", kinds)}
${cRecords([header, transfer, node])}`;
