#include <mpi.h>

#include "start.h"

#include "counts.h"
#include "host-peers.h"
#include "host-send.h"
#include "ipc.h"
#include "job-ranks.h"
#include "lower-half.h"
#include "operation.h"
#include "watch.h"
#include "mode.h"
#include "mpi-name.h"
#include "record.h"
#include "say.h"
#include "staged-elements.h"
#include "staged-option.h"
#include "store.h"
#include "summary.h"
#include "takes-gpus.h"
#include "types.h"
#include "verify.h"
#include "way-choice.h"

#include <pthread.h>
#include <sys/auxv.h>

void before_start(void) {
  const struct lower_half *half = lower_half();
  if (half->before_start != NULL) half->before_start();
}

/* Where nothing is packed inside the MPI, for a reason, or the user would have it so. */
static int choose_staged(const char *refused) {
  const enum staged_option option = staged_option();
  if (option == STAGED_OFF || (option == STAGED_MEASURED && refused == NULL)) return 0;
  const char *unanswered = staged_elements_ask();
  if (unanswered != NULL) return say("messages are not staged: %s", unanswered), 0;
  mode_choose(MODE_STAGED, option == STAGED_ON ? "STOWAGE_STAGED=on" : refused);
  /* What is compared is all that may be. */
  static const char *const ways[WAYS] = {"natively", "staged"};
  if (option == STAGED_MEASURED && !mode_verifies()) way_choice_begin(ways, NULL);
  return 1;
}

static void choose(void) {
  const struct lower_half *half = lower_half();
  const char *refused = half->test();
  if (choose_staged(refused)) return;
  if (refused != NULL) mode_choose(MODE_PACK, refused);
  else mode_choose(half->mode, "the self-test passed");
  const char *unpacked_otherwise = refused == NULL && half->receives != NULL ? half->receives() : NULL;
  if (unpacked_otherwise != NULL) mode_refuse_receives(unpacked_otherwise);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* MPI_Init and sessions that have not ended. */
static int beginnings;

void start(void) {
  static int chosen = 0;
  if (getauxval(AT_SECURE) != 0) return;
  pthread_mutex_lock(&lock);
  if (beginnings++ == 0) store_open();
  if (!chosen) {
    chosen = 1;
    choose();
    counts = (struct side_counts){0};
    host_start();
  }
  gpu_watch_start();
  if (gpu_was_loaded() && !mpi_takes_gpus()) peers_join();
  pthread_mutex_unlock(&lock);
}

static struct summary_side summary_of(enum stowage_direction direction) {
  const struct counts *side = counts_of(direction);
  const char *why = mode_refusal(direction);
  if (why == NULL && side->left_messages > 0 && side->left_messages == side->native_messages)
    why = "their contiguous runs are so long that the MPI copies them as fast";
  return (struct summary_side){side->our_messages, side->native_messages, why};
}

static void summarise(void) {
  const struct summary_side sent = summary_of(STOWAGE_PACK), received = summary_of(STOWAGE_UNPACK);
  summary_append(&sent, &received, types_unseen());
}

int is_last(void) {
  pthread_mutex_lock(&lock);
  const int last = beginnings == 1;
  pthread_mutex_unlock(&lock);
  return last;
}

void stop(int rank) {
  pthread_mutex_lock(&lock);
  if (beginnings > 0 && --beginnings == 0) {
    operations_sweep();
    ipc_finish();
    host_stop();
    job_ranks_end();
    gpu_watch_stop();
    counts_say(rank);
    host_sends_say(rank);
    summarise();
    verify_say(rank);
    record_write(rank, mpi_name());
    store_close();
  }
  pthread_mutex_unlock(&lock);
}
