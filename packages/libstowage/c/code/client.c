#define _GNU_SOURCE 1
#include "client.h"

#include "say.h"
#include "trusted-folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* A program that closes every descriptor and opens its own must not meet ours under the same number. */
enum { LEAST_DESCRIPTOR = 200 };

void client_init(struct service_client *client) { *client = (struct service_client){.file = -1}; }

/* Only this user may reach into the folder that the socket lies in, or put another in its place. */
static int is_private(const char *path) {
  char folder[sizeof((struct sockaddr_un *)0)->sun_path];
  char at[PATH_MAX];
  struct stat facts;
  const char *slash = strrchr(path, '/');
  if (slash == NULL || slash == path || (size_t)(slash - path) >= sizeof folder) return 0;
  memcpy(folder, path, (size_t)(slash - path));
  folder[slash - path] = '\0';
  return is_trusted_folder(folder, at) && lstat(folder, &facts) == 0 && S_ISDIR(facts.st_mode) &&
         facts.st_uid == geteuid() && (facts.st_mode & 077) == 0;
}

/* Who listens is this process's user. */
static int is_ours(int file) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  return getsockopt(file, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
}

static int connected(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  const int low = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (low < 0) return -1;
  const int high = fcntl(low, F_DUPFD_CLOEXEC, LEAST_DESCRIPTOR);
  const int file = high < 0 ? low : high;
  if (high >= 0) close(low);
  if (connect(file, (struct sockaddr *)&address, sizeof address) == 0 && is_ours(file)) return file;
  close(file);
  return -1;
}

void client_open(struct service_client *client, const char *path) {
  if (path == NULL || *path == '\0' || client->path[0] != '\0') return;
  if (strlen(path) >= sizeof client->path || !is_private(path)) {
    say("%s: expected a socket in a folder that this user alone may enter, got another: no service", path);
    return;
  }
  strcpy(client->path, path);
}

/* With the first question, and again with later ones while nobody listens: a service may begin after this process, or
 * wait for that question to start, and most programs ask nothing. */
int client_lives(struct service_client *client) {
  struct stat facts;
  if (client->file >= 0) return 1;
  if (client->path[0] == '\0') return 0;
  const int file = connected(client->path);
  if (file >= 0 && fstat(file, &facts) == 0) {
    client->file = file;
    client->device = facts.st_dev;
    client->inode = facts.st_ino;
    return 1;
  }
  if (file >= 0) close(file);
  SAY_ONCE("%s: expected this user's compile service, got none: datatypes without cached code stay native",
           client->path);
  return 0;
}

static int is_still_ours(const struct service_client *client) {
  struct stat facts;
  return fstat(client->file, &facts) == 0 && facts.st_dev == client->device && facts.st_ino == client->inode;
}

void client_close(struct service_client *client) {
  if (client->file >= 0 && (client->inode == 0 || is_still_ours(client))) close(client->file);
  client->file = -1;
  client->path[0] = '\0';
  client->first = client->last = NULL;
  client->sent = client->received = 0;
}

int client_file(const struct service_client *client) { return client->file; }

static int would_wait(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

/* Some of the first question. -1: the service is gone; 0: no more now. */
static ssize_t send_some(struct service_client *client) {
  struct stowage_code *entry = client->first;
  struct service_question question = {.length = (uint32_t)entry->length, .version = SERVICE_VERSION};
  memcpy(question.key, entry->key, KEY_BYTES);
  struct iovec parts[] = {{&question, sizeof question}, {entry->description, entry->length}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  for (size_t i = 0, skip = client->sent; i < 2; i++) {
    const size_t skipped = skip < parts[i].iov_len ? skip : parts[i].iov_len;
    parts[i].iov_base = (unsigned char *)parts[i].iov_base + skipped;
    parts[i].iov_len -= skipped;
    skip -= skipped;
  }
  const ssize_t sent = sendmsg(client->file, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent >= 0 ? sent : would_wait() ? 0 : -1;
}

static int send_waiting(struct service_client *client) {
  while (client->first != NULL) {
    const ssize_t sent = send_some(client);
    if (sent <= 0) return sent == 0;
    client->sent += (size_t)sent;
    if (client->sent < sizeof(struct service_question) + client->first->length) continue;
    client->sent = 0;
    client->first = client->first->next_to_send;
  }
  client->last = NULL;
  return 1;
}

static int receive(struct service_client *client, void (*answered)(void *, const uint8_t *, int), void *context) {
  for (;;) {
    const ssize_t got = recv(client->file, (unsigned char *)&client->answer + client->received,
                             sizeof client->answer - client->received, MSG_DONTWAIT);
    if (got == 0) return 0;
    if (got < 0) return would_wait();
    client->received += (size_t)got;
    if (client->received < sizeof client->answer) continue;
    client->received = 0;
    answered(context, client->answer.key, client->answer.status == SERVICE_STORED);
  }
}

void client_ask(struct service_client *client, struct stowage_code *entry) {
  if (entry->length > UINT32_MAX) return;
  entry->next_to_send = NULL;
  if (client->last != NULL) client->last->next_to_send = entry;
  else client->first = entry;
  client->last = entry;
  if (client->first == entry && is_still_ours(client)) send_waiting(client);
}

int client_look(struct service_client *client,
                void (*answered)(void *context, const uint8_t key[KEY_BYTES], int is_stored), void *context) {
  if (client->file < 0) return 0;
  if (is_still_ours(client) && send_waiting(client) && receive(client, answered, context)) return 1;
  client_close(client);
  return 0;
}
