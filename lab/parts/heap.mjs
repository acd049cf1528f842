// What this process holds once its garbage is collected, whatever flags it was started with.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

export function collected() {
  collect();
  return process.memoryUsage();
}
