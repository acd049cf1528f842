import { FFT2 } from "./fft2.js";
import { LAMMPS } from "./lammps.js";
import { MILC } from "./milc.js";
import { NAS_LU } from "./nas-lu.js";
import { NAS_MG } from "./nas-mg.js";
import { SPECFEM3D } from "./specfem3d.js";
import { WRF } from "./wrf.js";

export const DDTBENCH = [...WRF, ...MILC, ...NAS_LU, ...NAS_MG, ...LAMMPS, ...SPECFEM3D, ...FFT2];
