/** A recording's form: one file a rank, JSON. c/store/recording-formats.h is made of it. */
export const RECORDING_SCHEMA = "stowage-recording/1";

/**
 * What is counted of messages of one direction. Times in packing or unpacking are 0 where they could not be told from
 * the rest; those in the MPI calls that sent, received or waited are 0 without the recorder.
 */
export const TRAFFIC_COUNTS = [
  "messages",
  "bytes",
  "ourMessages",
  "ourBytes",
  "packNs",
  "ourPackNs",
  "callNs",
] as const;
