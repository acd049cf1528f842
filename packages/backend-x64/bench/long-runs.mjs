// Long runs a little apart, packed by rounds of vectors and by REP MOVSB: node packages/backend-x64/bench/long-runs.mjs
// FILE [ROUNDS] [BLOCK/STRIDE,...]
import { compareOptions } from "./two-options.mjs";

const [
  ,
  ,
  file = "results/epyc/long-runs.json",
  rounds = "15",
  shapes = "2048/2112,3072/3136,4096/4160,24496/24560,73488/73552",
] = process.argv;
const OPTIONS = { rounds: { repMovsbBytes: Infinity }, repMovsb: { repMovsbBytes: 2048 } };
const SIZES = [32 * 1024, 128 * 1024, 1024 * 1024, 4 * 1024 * 1024];

compareOptions({ file, rounds, shapes, options: OPTIONS, sizes: SIZES });
