/* What stands in front of another library's function; everything else of this library is hidden. */
#ifndef STOWAGE_EXPORTED_H
#define STOWAGE_EXPORTED_H

#define EXPORTED __attribute__((visibility("default")))
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#endif
