// docs/design/layout.md draws these arrows: each layer, and what its sources may import.
const direction = {
  ir: [],
  "backend-api": ["ir"],
  engine: ["ir", "backend-api"],
  data: ["ir", "backend-api", "engine"],
  machine: ["ir", "machine"],
  "cuda-plans": ["ir", "backend-api", "machine"],
  "host-plans": ["ir", "backend-api"],
  backend: ["ir", "backend-api", "machine", "host-plans", "cuda-plans"],
  compile: ["ir", "backend-api", "machine", "backend"],
  routes: ["ir", "backend-api", "machine", "cuda-plans", "backend"],
  selector: ["ir", "backend-api", "engine", "machine", "backend", "routes"],
  mpi: ["ir", "backend-api", "engine", "data", "machine", "routes", "selector", "mpi"],
  libstowage: [],
  interposer: ["ir", "backend-api", "machine", "backend", "routes", "selector", "mpi", "compile", "libstowage"],
  laws: ["ir", "backend-api", "laws"],
  bench: ["ir", "backend-api", "machine", "laws"],
  explorer: ["ir", "backend-api", "machine", "cuda-plans", "backend", "laws"],
  overheads: ["ir", "backend-api", "mpi", "bench"],
  cli: [
    "ir",
    "backend-api",
    "engine",
    "machine",
    "backend",
    "routes",
    "selector",
    "mpi",
    "interposer",
    "laws",
    "bench",
    "compile",
    "explorer",
    "overheads",
  ],
};

/** As @nx/enforce-module-boundaries takes it. */
export const depConstraints = Object.entries(direction).map(([layer, imports]) => ({
  sourceTag: `layer:${layer}`,
  onlyDependOnLibsWithTags: imports.map((imported) => `layer:${imported}`),
}));
