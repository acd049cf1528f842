import type { If, Instruction, Kernel, While } from "../ir/index.js";
import { loadLines, loadParameterLines, storeLines } from "./access.js";
import {
  binaryLine,
  compareLine,
  convertLine,
  floatCompareLine,
  floatLine,
  funnelShiftLine,
  multiplyAddLine,
  multiplyWideLine,
  permuteLine,
  selectLine,
  shiftLine,
  specialLine,
  unaryLine,
} from "./arithmetic.js";
import { operandText } from "./operand.js";
import { versionFor, type Target } from "./target.js";

/**
 * Prints kernels as the text of one PTX module for a target. Pure: the same kernels give the same text. Throws a
 * RangeError for a target below sm_75.
 */
export function print(kernels: Kernel | readonly Kernel[], target: Target): string {
  const list = "body" in kernels ? [kernels] : kernels;
  const version = versionFor(target, Math.max(0, ...list.map(({ parameterBytes }) => parameterBytes)));
  const header = [`.version ${version}`, `.target sm_${target.arch}`, ".address_size 64"].join("\n");
  return `${[header, ...list.map((kernel) => new KernelPrinter(kernel, target.arch, version).text())].join("\n\n")}\n`;
}

const FENCES = { block: "membar.cta;", device: "membar.gl;", system: "membar.sys;" } as const;

class KernelPrinter {
  readonly #kernel: Kernel;
  readonly #arch: number;
  readonly #version: string;
  readonly #lines: string[] = [];
  #labels = 0;

  constructor(kernel: Kernel, arch: number, version: string) {
    this.#kernel = kernel;
    this.#arch = arch;
    this.#version = version;
  }

  text(): string {
    const { name, sharedBytes, registers, body } = this.#kernel;
    this.#line(`.reg .pred %p<${registers + 1}>;`);
    this.#line(`.reg .b32 %r<${registers + 1}>;`);
    this.#line(`.reg .b64 %rd<${registers + 1}>;`);
    this.#line(".reg .b64 %parameter, %index;");
    if (sharedBytes > 0) {
      this.#line(".reg .b32 %shared, %sharedbase;");
      this.#line(`.shared .align 16 .b8 ${name}_shared[${sharedBytes}];`);
      this.#line(`mov.u32 %sharedbase, ${name}_shared;`);
    }
    this.#list(body);
    this.#line("ret;");
    return `.visible .entry ${name}(${this.#parameters()})\n${this.#directives()}{\n${this.#lines.join("\n")}\n}`;
  }

  #parameters(): string {
    const texts = this.#kernel.parameters.map(({ name, type, alignBytes, sizeBytes }) => {
      const symbol = this.#symbol(name);
      return type === "bytes" ? `.param .align ${alignBytes} .b8 ${symbol}[${sizeBytes}]` : `.param .${type} ${symbol}`;
    });
    return texts.length === 0 ? "" : `\n  ${texts.join(",\n  ")}\n`;
  }

  #directives(): string {
    const { maxThreads, minBlocks } = this.#kernel;
    const threads = maxThreads === undefined ? "" : `.maxntid ${maxThreads}, 1, 1\n`;
    return threads + (minBlocks === undefined ? "" : `.minnctapersm ${minBlocks}\n`);
  }

  #symbol(parameter: string): string {
    return `${this.#kernel.name}_${parameter}`;
  }

  #line(text: string): void {
    this.#lines.push(`  ${text}`);
  }

  #label(): string {
    return `$L${this.#labels++}`;
  }

  #list(instructions: readonly Instruction[]): void {
    for (const instruction of instructions) this.#instruction(instruction);
  }

  #instruction(instruction: Instruction): void {
    switch (instruction.kind) {
      case "binary":
        return this.#line(binaryLine(instruction));
      case "shift":
        return this.#line(shiftLine(instruction));
      case "unary":
        return this.#line(unaryLine(instruction));
      case "multiplyAdd":
        return this.#line(multiplyAddLine(instruction));
      case "multiplyWide":
        return this.#line(multiplyWideLine(instruction));
      case "compare":
        return this.#line(compareLine(instruction));
      case "float":
        return this.#line(floatLine(instruction));
      case "floatCompare":
        return this.#line(floatCompareLine(instruction));
      case "select":
        return this.#line(selectLine(instruction));
      case "convert":
        return this.#line(convertLine(instruction));
      case "funnelShift":
        return this.#line(funnelShiftLine(instruction));
      case "permute":
        return this.#line(permuteLine(instruction));
      case "special":
        return this.#line(specialLine(instruction));
      case "loadParameter":
        return loadParameterLines(instruction, this.#symbol(instruction.parameter)).forEach((line) => this.#line(line));
      case "load":
        return loadLines(instruction, this.#arch, this.#version).forEach((line) => this.#line(line));
      case "store":
        return storeLines(instruction, this.#arch, this.#version).forEach((line) => this.#line(line));
      case "barrier":
        return this.#line("bar.sync 0;");
      case "fence":
        return this.#line(FENCES[instruction.scope]);
      case "if":
        return this.#if(instruction);
      case "while":
        return this.#while(instruction);
    }
  }

  #if({ condition, then, otherwise }: If): void {
    const end = this.#label();
    const elseLabel = otherwise.length === 0 ? end : this.#label();
    this.#line(`@!${operandText(condition)} bra ${elseLabel};`);
    this.#list(then);
    if (otherwise.length > 0) {
      this.#line(`bra ${end};`);
      this.#lines.push(`${elseLabel}:`);
      this.#list(otherwise);
    }
    this.#lines.push(`${end}:`);
  }

  #while({ head, condition, body }: While): void {
    const start = this.#label();
    const end = this.#label();
    this.#lines.push(`${start}:`);
    this.#list(head);
    this.#line(`@!${operandText(condition)} bra ${end};`);
    this.#list(body);
    this.#line(`bra ${start};`);
    this.#lines.push(`${end}:`);
  }
}
