import { conditions, packMove } from "@stowage/backend-api";
import { x64Listing } from "@stowage/backend-x64/listing";
import type { Layout } from "@stowage/ir";
import { cLoops } from "./c-loops.js";
import { attempt, type MachineText } from "./machine-text.js";
import { ptxTexts } from "../gpu/ptx-texts.js";

const MOST_CHARACTERS = 400_000;

/** The loops in C, the machine code of x86-64 and the GPU kernels. */
export function machineTexts(layout: Layout): readonly MachineText[] {
  const texts: MachineText[] = [{ title: "C", text: cLoops(layout) }];
  for (const level of ["avx512", "avx2", "sse2"] as const)
    texts.push({ title: `x86-64, ${level}`, text: attempt(() => x64Listing(packMove(layout), conditions(), level)) });
  return [...texts, ...ptxTexts(layout)].map(({ title, text }) => ({ title, text: cut(text) }));
}

const cut = (text: string): string =>
  text.length <= MOST_CHARACTERS
    ? text
    : `${text.slice(0, MOST_CHARACTERS)}\n… ${text.length - MOST_CHARACTERS} more characters`;
