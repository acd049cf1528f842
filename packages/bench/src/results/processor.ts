import { readFileSync } from "node:fs";

const FIELDS = ["vendor_id", "cpu family", "model", "stepping"];

/**
 * Which processor this is, where its name alone does not tell ("AMD EPYC" may be a Zen 4 or a Zen 5): "AuthenticAMD
 * family 26 model 2 stepping 1". Null where Linux does not say (proc_cpuinfo(5)).
 */
export function processorFamily(cpuinfo = textOf("/proc/cpuinfo")): string | null {
  const [vendor, ...numbers] = FIELDS.map((field) => new RegExp(`^${field}\\s*: (.*)$`, "m").exec(cpuinfo)?.[1]);
  if (vendor === undefined || numbers.includes(undefined)) return null;
  const [family, model, stepping] = numbers;
  return `${vendor} family ${family} model ${model} stepping ${stepping}`;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
