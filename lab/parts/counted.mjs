/** What is counted of a launch, by the profiler's names. */
export const METRICS = {
  durationNs: "gpu__time_duration.sum",
  dramReadBytes: "dram__bytes_read.sum",
  dramWriteBytes: "dram__bytes_write.sum",
  dramPercent: "dram__throughput.avg.pct_of_peak_sustained_elapsed",
  l2Percent: "lts__throughput.avg.pct_of_peak_sustained_elapsed",
  l2TagPercent: "lts__t_tag_requests.avg.pct_of_peak_sustained_elapsed",
  l2SectorPercent: "lts__t_sectors.avg.pct_of_peak_sustained_elapsed",
  l2DataPercent: "lts__d_sectors.avg.pct_of_peak_sustained_elapsed",
  l2FromXbarPercent: "lts__xbar2lts_cycles_active.avg.pct_of_peak_sustained_elapsed",
  l2ToXbarPercent: "lts__lts2xbar_cycles_active.avg.pct_of_peak_sustained_elapsed",
  l2Sectors: "lts__t_sectors.sum",
  l2Requests: "lts__t_requests.sum",
  l2ReadSectors: "lts__t_sectors_op_read.sum",
  l2WriteSectors: "lts__t_sectors_op_write.sum",
  l2FromL1Sectors: "lts__t_sectors_srcunit_tex.sum",
  l2FromL1Misses: "lts__t_sectors_srcunit_tex_lookup_miss.sum",
  l2FabricSectors: "lts__t_sectors_srcunit_ltcfabric.sum",
  l1Percent: "l1tex__throughput.avg.pct_of_peak_sustained_elapsed",
  l1TagPercent: "l1tex__t_output_wavefronts.avg.pct_of_peak_sustained_elapsed",
  l1FromXbarPercent: "l1tex__m_xbar2l1tex_read_sectors.avg.pct_of_peak_sustained_elapsed",
  l1LoadRequests: "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
  l1LoadSectors: "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
  l1LoadHitSectors: "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
  l1StoreSectors: "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
  smPercent: "sm__throughput.avg.pct_of_peak_sustained_elapsed",
  instructions: "smsp__inst_executed.sum",
  issuePercent: "smsp__issue_active.avg.pct_of_peak_sustained_elapsed",
  occupancyPercent: "sm__warps_active.avg.pct_of_peak_sustained_active",
  registers: "launch__registers_per_thread",
  blocks: "launch__grid_size",
  threads: "launch__block_size",
  waves: "launch__waves_per_multiprocessor",
  longScoreboardStalls: "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
  throttleStalls: "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
  barrierStalls: "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
  waitStalls: "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
  shortScoreboardStalls: "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
};

const BOTH_TIERS = ["", "/specialised"];
const both = (name) => ["pack", "unpack"].map((direction) => ({ name, direction, tiers: [""] }));
const bothAndSpecialised = (name) => [
  { name, direction: "pack", tiers: BOTH_TIERS },
  { name, direction: "unpack", tiers: [""] },
];

/** Rows that miss their figure, and those whose unpack takes over 25 % more than their pack. */
export const COUNTED = [
  ...both("specfem-oc@16777216"),
  ...bothAndSpecialised("lammps-atoms@12582912"),
  ...bothAndSpecialised("halo26/all"),
  { name: "halo26/all", direction: "pack", l2FetchBytes: 32, tiers: BOTH_TIERS },
  ...bothAndSpecialised("indexed-random@64MiB"),
  ...both("vector-8@16MiB"),
  ...both("vector-32@64MiB"),
  ...both("struct24@17000000"),
  { name: "contiguous@64MiB", direction: "pack", tiers: [""] },
];
