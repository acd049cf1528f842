/* Which way messages of one host go before their own times are known, where these choose: a table that was predicted
 * from this machine's profile, `host-routes-MPI` beside compiled code. Without one the defaults, which are those of two
 * cores of a Xeon. src/routes/host-table.ts writes it. */
#ifndef STOWAGE_HOST_TABLE_H
#define STOWAGE_HOST_TABLE_H

#include "way-choice.h"

/* In MPI_Init. A file that is no such table leaves all of the defaults, and one line. */
void host_table_read(void);

/* That of the last rule that fits: SECOND_WAY is past the MPI. */
enum way host_table_way(const struct way_kind *kind);

#endif
