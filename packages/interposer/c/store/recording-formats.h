/* Made of the tables of TypeScript: `npx vitest run packages/interposer/tests/formats -u`. What a recording
 * holds: packages/interposer/src/formats/recording-format.ts */
/* clang-format off */
#ifndef STOWAGE_RECORDING_FORMATS_H
#define STOWAGE_RECORDING_FORMATS_H

#define RECORDING_SCHEMA "stowage-recording/1"

/* Each count of messages of one direction, by its names in C and in a recording. */
#define EACH_TRAFFIC_COUNT(count) \
  count(messages, "messages") \
  count(bytes, "bytes") \
  count(our_messages, "ourMessages") \
  count(our_bytes, "ourBytes") \
  count(pack_ns, "packNs") \
  count(our_pack_ns, "ourPackNs") \
  count(call_ns, "callNs")

#endif
