import { packMove, unpackMove } from "@stowage/backend-api";
import type { CompiledType } from "../compiled-type.js";
import { commentLines } from "../languages/comment-lines.js";
import { constantsOf, documentLines, signatureText } from "../languages/described.js";
import { gpuRuntime } from "./gpu-runtime.js";
import { ptxMove, type PtxKernel, type PtxMove, type PtxSide } from "./stored-kernel.js";

/** The files of GPU kernels: PTX, C that loads and launches it, and its header. */
export interface PtxFiles {
  readonly ptx: string;
  readonly source: string;
  readonly header: string;
}

const DIRECTIONS = ["pack", "unpack"] as const;

/**
 * Kernels for GPUs from compute capability 7.5 on. Throws an ArgumentError where a layout has more nodes than fit a
 * launch.
 */
export function ptxFiles(types: readonly CompiledType[], name: string, guard: string): PtxFiles {
  const moves = types.flatMap(({ symbol, layout }) =>
    DIRECTIONS.map((direction) => ({
      name: `${symbol}_${direction}`,
      move: ptxMove(direction === "pack" ? packMove(layout) : unpackMove(layout), symbol),
    })),
  );
  const kernels = new Map(moves.flatMap(({ move }) => move.kernels.map((kernel) => [kernel.entry, kernel])));
  return {
    ptx: [...kernels.values()].map(({ ptx }) => ptx).join("\n"),
    source: sourceOf(moves, [...kernels.values()], name, guard),
    header: headerOf(types, guard),
  };
}

interface NamedMove {
  readonly name: string;
  readonly move: PtxMove;
}

function sourceOf(moves: readonly NamedMove[], kernels: readonly PtxKernel[], name: string, guard: string): string {
  const texts = kernels.map(
    ({ ptx, entry, parameterBytes, wordBytes, threads, unroll }, i) => `${array(`ptx_${i}`, ascii(`${ptx}\0`))}
static struct kernel kernel_${i} = {"${entry}", ptx_${i}, ${parameterBytes}, ${wordBytes}, ${threads}, ${unroll}, 0, 0};`,
  );
  const data = moves.map(({ name: own, move }) => moveData(own, move, kernels));
  const calls = moves.map(
    ({ name: own }) => `${signature(own)} {\n  return moved(&${own}_move, source, target, first, length, stream);\n}`,
  );
  const list = (names: readonly string[]) => names.map((each) => `&${each}, `).join("");
  const all = `static struct kernel *const kernels[] = {${list(kernels.map((_, i) => `kernel_${i}`))}};
static struct move *const moves[] = {${list(moves.map(({ name: own }) => `${own}_move`))}};`;
  const life = `int ${guard}_load(void) { return loaded(); }\nvoid ${guard}_unload(void) { unloaded(); }`;
  const runtime = gpuRuntime();
  const head = `/* Written by stowage compile: loads and launches its kernels through the CUDA driver API. Link with -lcuda. */`;
  return [
    head,
    `#include "${name}.h"`,
    runtime.types,
    ...texts,
    ...data,
    all,
    runtime.functions,
    life,
    ...calls,
    "",
  ].join("\n");
}

function moveData(name: string, { kernels, source, target, lookaside }: PtxMove, known: readonly PtxKernel[]): string {
  const side = (what: string, { nodes }: PtxSide) => array(`${name}_${what}`, nodes);
  const place = (what: string, { nodes, startBytes }: PtxSide) => `{${name}_${what}, ${nodes.length}, ${startBytes}LL}`;
  const own = kernels.map(({ entry }) => `&kernel_${known.findIndex((kernel) => kernel.entry === entry)}`);
  const pair = own.length === 1 ? [own[0], own[0]] : own;
  return `${side("source", source)}\n${side("target", target)}\n${array(`${name}_lookaside`, lookaside)}
static struct move ${name}_move = {{${pair.join(", ")}}, ${place("source", source)}, ${place("target", target)},
  ${name}_lookaside, ${lookaside.length}, 0};`;
}

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** At least one byte: C knows no empty array. */
const array = (name: string, bytes: Uint8Array): string =>
  `static const unsigned char ${name}[] = {\n${commentLines([...(bytes.length === 0 ? [0] : bytes)].join(",")).join("\n")}};`;

const signature = (name: string): string =>
  `int ${name}(uint64_t source, uint64_t target, int64_t first, int64_t length, void *stream)`;

function headerOf(types: readonly CompiledType[], guard: string): string {
  const macro = `STOWAGE_COMPILED_${guard.toUpperCase()}_PTX_H`;
  const each = types.map((type) => {
    const { symbol, datatype } = type;
    const comment = [`${symbol}: ${signatureText(datatype)}`, ...documentLines(datatype)].join("\n * ");
    const constants = constantsOf(type).map(([name, value]) => `#define ${symbol}_${name} INT64_C(${value})\n`);
    return `/* ${comment}\n */\n${constants.join("")}${DIRECTIONS.map((direction) => `${signature(`${symbol}_${direction}`)};\n`).join("")}`;
  });
  return `${HEAD}#ifndef ${macro}\n#define ${macro}\n\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern "C" {\n#endif
/* For the context that is current: once, before any call. 0, or the driver's CUresult. */
int ${guard}_load(void);
void ${guard}_unload(void);

${each.join("\n")}
#ifdef __cplusplus\n}\n#endif\n#endif\n`;
}

const HEAD = `/* Written by stowage compile.
 *
 * Each function launches one kernel on a stream (a CUstream; NULL: the legacy default stream), which moves bytes
 * [first, first + length) of the packed stream of any number of elements side by side; it gives 0 or the driver's CUresult.
 * \`source\` and \`target\` are device addresses: of a datatype where its address 0 lies, of a packed stream where byte 0 of
 * the whole stream lies or would lie. No byte may be on both sides. Addresses that are multiples of 16 are moved in words,
 * others byte by byte. Grid: max(1, ceil(words / (threads * unroll))) blocks; the kernel's parameters are the list of one
 * transfer and the layout's nodes by value (docs/design/gpu-generic.md).
 */
`;
