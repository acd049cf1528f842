/** What a message takes beside packing, from the call to its arrival; bytes a nanosecond. */
interface MessageFigures {
  readonly latencyNs: number;
  readonly bytesPerNs: number;
}

/** Between two processes of one host, of the host's memory: T_cpu-cpu of TEMPI's equations 2 and 3. */
const HOST: MessageFigures = { latencyNs: 1000, bytesPerNs: 6 };
/** Of device memory, by a CUDA-aware MPI: T_gpu-gpu of equation 1. TEMPI, Figure 9a, has a floor of 6 us. */
const DEVICE: MessageFigures = { latencyNs: 6000, bytesPerNs: 20 };

export function messageNs(memory: "host" | "device", bytes: number): number {
  const { latencyNs, bytesPerNs } = memory === "host" ? HOST : DEVICE;
  return latencyNs + bytes / bytesPerNs;
}
