import { check } from "./check.js";
import type { ContextHandle } from "./context-handle.js";

/** Marks a stretch for an attached profiler: tools told to start at cuProfilerStart watch only this. */
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
