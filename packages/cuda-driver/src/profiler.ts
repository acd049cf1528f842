import { check } from "./check.js";
import type { ContextHandle } from "./context-handle.js";

/**
 * Runs `run` as the stretch that an attached profiler is to watch: tools that were told to start at cuProfilerStart
 * watch only this. Returns what `run` returns.
 */
export function profiled<T>(context: ContextHandle, run: () => T): T {
  const { libcuda } = context;
  context.enter();
  check(libcuda, "cuProfilerStart", libcuda.cuProfilerStart());
  try {
    return run();
  } finally {
    check(libcuda, "cuProfilerStop", libcuda.cuProfilerStop());
  }
}
