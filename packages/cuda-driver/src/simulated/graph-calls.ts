import type { Calls } from "../calls.js";
import * as results from "../results.js";
import { give } from "./give.js";
import { kernelNode } from "./launch-calls.js";
import type { Machine } from "./machine.js";
import type { GraphNode } from "./timeline.js";

type GraphCall = Extract<keyof Calls, `cuGraph${string}`>;

const KERNEL = 0;
const MEMCPY = 1;

export function graphCalls(machine: Machine): Pick<Calls, GraphCall> {
  const { graphs, executables, nodes, functions, space } = machine;
  return {
    cuGraphInstantiateWithFlags(out, handle) {
      const graph = graphs.get(handle);
      if (graph === undefined) return results.INVALID_HANDLE;
      out[0] = BigInt(executables.add({ nodes: new Map(graph.nodes) }));
      return results.SUCCESS;
    },
    cuGraphLaunch(handle, stream) {
      const graph = executables.get(handle);
      if (graph === undefined) return results.INVALID_HANDLE;
      const work = [...graph.nodes.values()];
      const run = (): void => {
        for (const node of work) node.run();
      };
      return machine.enqueue(stream, { kernel: false, run });
    },
    cuGraphExecUpdate_v2(handle, other, answer) {
      const [executable, graph] = [executables.get(handle), graphs.get(other)];
      if (executable === undefined || graph === undefined) return results.INVALID_HANDLE;
      const [keys, changed] = [[...executable.nodes.keys()], [...graph.nodes.values()]];
      const isSame = keys.length === changed.length;
      if (!isSame || changed.some(({ kernel }, i) => executable.nodes.get(keys[i] as number)?.kernel !== kernel)) {
        answer[0] = 1n; // CU_GRAPH_EXEC_UPDATE_ERROR
        return results.GRAPH_EXEC_UPDATE_FAILURE;
      }
      keys.forEach((key, i) => executable.nodes.set(key, changed[i] as GraphNode));
      return results.SUCCESS;
    },
    cuGraphExecDestroy: (handle) => (executables.remove(handle) ? results.SUCCESS : results.INVALID_HANDLE),
    cuGraphDestroy(handle) {
      for (const node of graphs.get(handle)?.nodes.keys() ?? []) nodes.remove(node);
      return graphs.remove(handle) ? results.SUCCESS : results.INVALID_HANDLE;
    },
    cuGraphGetNodes(handle, out, count) {
      const graph = graphs.get(handle);
      if (graph === undefined) return results.INVALID_HANDLE;
      if (out !== 0) out.set([...graph.nodes.keys()].map(BigInt).slice(0, Number(count[0])));
      else count[0] = BigInt(graph.nodes.size);
      return results.SUCCESS;
    },
    cuGraphNodeGetType(handle, type) {
      const node = nodes.get(handle);
      return node === undefined ? results.INVALID_HANDLE : give(type, node.kernel ? KERNEL : MEMCPY);
    },
    cuGraphExecKernelNodeSetParams_v2(executable, node, address) {
      const graph = executables.get(executable);
      if (graph?.nodes.get(node)?.kernel !== true) return results.INVALID_VALUE;
      const bytes = space.read(address, 72).buffer; // CUDA_KERNEL_NODE_PARAMS_v2
      const words = new BigUint64Array(bytes);
      const func = functions.get(Number(words[0]));
      if (func === undefined) return results.INVALID_HANDLE;
      const changed = kernelNode(machine, func, new Uint32Array(bytes, 8, 7), Number(words[6]));
      if (typeof changed === "number") return changed;
      graph.nodes.set(node, changed);
      return results.SUCCESS;
    },
  };
}
