/* A process's side of the compile service. Not one call waits; one thread at a time. */
#ifndef STOWAGE_CLIENT_H
#define STOWAGE_CLIENT_H

#include "code-entry.h"

#include <sys/types.h>
#include <sys/un.h>

struct service_client {
  int file;                                             /* -1: none */
  char path[sizeof((struct sockaddr_un *)0)->sun_path]; /* to connect to; "": nothing can be asked */
  dev_t device;
  ino_t inode;
  struct stowage_code *first, *last; /* to send */
  size_t sent;                       /* of the first question */
  struct service_answer answer;      /* as much of it as came */
  size_t received;
};

void client_init(struct service_client *client);

/* The socket to ask at; NULL: there is no service. */
void client_open(struct service_client *client, const char *path);
void client_close(struct service_client *client);

/* Whether a question may still be answered; connects with the first. */
int client_lives(struct service_client *client);

/* The descriptor that an answer comes by; -1: none. */
int client_file(const struct service_client *client);

/* Asks for a type's code; what does not fit into the socket follows with later calls. */
void client_ask(struct service_client *client, struct stowage_code *entry);

/* Sends what is left and reads what came: `answered` gets each answer's key, and whether its code is in the cache. 0:
 * the service is gone. */
int client_look(struct service_client *client,
                void (*answered)(void *context, const uint8_t key[KEY_BYTES], int is_stored), void *context);

#endif
