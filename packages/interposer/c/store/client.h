/* The rank's side of the compile service. Not one call waits; one thread at a time. */
#ifndef STOWAGE_CLIENT_H
#define STOWAGE_CLIENT_H

#include "entry.h"

/* The socket to ask at; NULL: there is no service. */
void client_open(const char *path);
void client_close(void);

/* Whether a question may still be answered; connects with the first. */
int client_lives(void);

/* Asks for a type's code; what does not fit into the socket follows with later calls. */
void client_ask(struct stowage_code *entry);

/* Sends what is left and reads what came: `answered` gets each answer's key, and whether its code is in the cache. 0:
 * the service is gone. */
int client_look(void (*answered)(const uint8_t key[KEY_BYTES], int is_stored));

#endif
