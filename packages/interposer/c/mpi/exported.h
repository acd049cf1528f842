/* What stands in front of another library's function; everything else of this library is hidden. */
#ifndef STOWAGE_EXPORTED_H
#define STOWAGE_EXPORTED_H

#define EXPORTED __attribute__((visibility("default")))
/* Marks what one file declares and another defines: else it is reached through the table of what others may replace. */
#define HIDDEN __attribute__((visibility("hidden")))
#define UNLIKELY(condition) (__builtin_expect(!!(condition), 0) != 0)
#define LIKELY(condition) (__builtin_expect(!!(condition), 1) != 0)

#endif
