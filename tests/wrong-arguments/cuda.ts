import { openCuda, openSimulatedCuda, tryOpen } from "@stowage/cuda-driver";
import { afterAll } from "vitest";
import { bound, refusing, type Call } from "./call.js";
import { bytes } from "./subjects.js";

const driver = openSimulatedCuda();
const context = driver.context();
const kernelText = ".version 7.8\n.target sm_75\nnonsense";
afterAll(() => context[Symbol.dispose]());

const simulated = () => ({ devices: 2, version: 13_000, architecture: 90, memoryBytes: 2 ** 30, backedBytes: 2 ** 24 });

export const CUDA: readonly Call[] = [
  ["openSimulatedCuda", openSimulatedCuda, () => [simulated()]],
  ["openCuda", refusing(openCuda), () => ["/nowhere/libcuda.so"]],
  ["tryOpen", tryOpen, () => [() => driver]],
  ["Driver.context", bound(driver, "context"), () => [0]],
  ["Driver.isHeld", bound(driver, "isHeld"), () => [0]],
  ["Context.deviceMemory", bound(context, "deviceMemory"), () => [64]],
  ["Context.pinnedMemory", bound(context, "pinnedMemory"), () => [64]],
  ["Context.managedMemory", bound(context, "managedMemory"), () => [64]],
  ["Context.register", bound(context, "register"), () => [bytes(64)]],
  ["Context.stream", bound(context, "stream"), () => [{ blocking: true, priority: "high" }]],
  ["Context.foreignStream", bound(context, "foreignStream"), () => [0]],
  ["Context.event", bound(context, "event"), () => [{ timed: true, shared: false }]],
  ["Context.module", refusing(bound(context, "module")), () => [kernelText]],
  ["Context.limit", bound(context, "limit"), () => ["l2FetchBytes"]],
  ["Context.setLimit", bound(context, "setLimit"), () => ["l2FetchBytes", 64]],
  ["Context.reaches", bound(context, "reaches"), () => [0]],
];
