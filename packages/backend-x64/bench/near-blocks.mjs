// Short blocks near each other, packed with and without permutedBlocks: node packages/backend-x64/bench/near-blocks.mjs
// FILE [ROUNDS] [BLOCK/STRIDE,...]
import { compareOptions } from "./two-options.mjs";

const [
  ,
  ,
  file = "results/epyc/near-blocks.json",
  rounds = "15",
  shapes = "17/24,12/16,12/24,20/24,9/16,6/8,5/8,4/8,3/4,2/4,1/2,36/40",
] = process.argv;
const OPTIONS = { apart: { permutedBlocks: false }, together: { permutedBlocks: true } };
const SIZES = [1024, 32 * 1024, 1024 * 1024, 16 * 1024 * 1024];

compareOptions({ file, rounds, shapes, options: OPTIONS, sizes: SIZES });
