// Section 3.1: the transport underneath where MPI is built on UCX: tagged messages of UCP, without MPI.
#include "measure.h"
#include <ucp/api/ucp.h>

enum { MOST_BYTES = 1 << 20 };
static ucp_worker_h worker;
static ucp_ep_h endpoint;
static char *out, *in;

static void require(ucs_status_t status, const char *call) {
  if (status == UCS_OK) return;
  fprintf(stderr, "%s: expected UCS_OK, got %s\n", call, ucs_status_string(status));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void finish(void *request) {
  if (request == NULL) return;
  while (ucp_request_check_status(request) == UCS_INPROGRESS) ucp_worker_progress(worker);
  ucp_request_free(request);
}

static void connect_peers(void) {
  ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES, .features = UCP_FEATURE_TAG};
  ucp_worker_params_t single = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                .thread_mode = UCS_THREAD_MODE_SINGLE};
  ucp_context_h context;
  ucp_address_t *own;
  size_t bytes;
  require(ucp_init(&params, NULL, &context), "ucp_init");
  require(ucp_worker_create(context, &single, &worker), "ucp_worker_create");
  require(ucp_worker_get_address(worker, &own, &bytes), "ucp_worker_get_address");
  memcpy(gate->bytes + rank * 4096, own, bytes < 4096 ? bytes : 4096);
  MPI_Barrier(MPI_COMM_WORLD);
  ucp_ep_params_t peer = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
                          .address = (ucp_address_t *)(gate->bytes + (1 - rank) * 4096)};
  require(ucp_ep_create(worker, &peer, &endpoint), "ucp_ep_create");
}

static double half_trip(int bytes, int turns) {
  ucp_request_param_t plain = {0};
  double start = now_ns();
  for (int i = 0; i < turns; i++) {
    if (rank == 0) finish(ucp_tag_send_nbx(endpoint, out, (size_t)bytes, T0, &plain));
    finish(ucp_tag_recv_nbx(worker, in, (size_t)bytes, T0, (ucp_tag_t)-1, &plain));
    if (rank == 1) finish(ucp_tag_send_nbx(endpoint, out, (size_t)bytes, T0, &plain));
  }
  return (now_ns() - start) / turns / 2;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  open_gate(argv);
  out = calloc(1, MOST_BYTES);
  in = calloc(1, MOST_BYTES);
  connect_peers();
  for (int bytes = 1; bytes <= MOST_BYTES; bytes *= quick ? 4 : 2) {
    double times[MOST_SAMPLES];
    half_trip(bytes, turns_of(bytes));
    for (int i = 0; i < samples_of(); i++) times[i] = half_trip(bytes, turns_of(bytes));
    point("latency", "UCX", bytes, times, samples_of());
  }
  MPI_Finalize();
  return 0;
}
