// Entries into machine code by V8's own functions, beside koffi's: what bench/entries.mjs measures.
#include <node.h>

using namespace v8;

typedef void (*Code)(const void *, void *, int64_t, int64_t, int64_t);

static const double *record;

static void *pointer(double address) { return (void *)(uintptr_t)address; }

// Calls the record whose address was told: code, source, target, count, first, length.
static void launch(const FunctionCallbackInfo<Value> &) {
  ((Code)pointer(record[0]))(pointer(record[1]), pointer(record[2]), (int64_t)record[3], (int64_t)record[4],
                             (int64_t)record[5]);
}

static void setRecord(const FunctionCallbackInfo<Value> &call) {
  record = (const double *)pointer(call[0].As<Number>()->Value());
}

static uint8_t *bytesOf(Local<Value> value) {
  const Local<Uint8Array> view = value.As<Uint8Array>();
  return (uint8_t *)view->Buffer()->Data() + view->ByteOffset();
}

// Calls code with the addresses of two views: (source, target, code, length).
static void move(const FunctionCallbackInfo<Value> &call) {
  ((Code)pointer(call[2].As<Number>()->Value()))(bytesOf(call[0]), bytesOf(call[1]), 1, 0,
                                                 (int64_t)call[3].As<Number>()->Value());
}

NODE_MODULE_INIT() {
  NODE_SET_METHOD(exports, "launch", launch);
  NODE_SET_METHOD(exports, "setRecord", setRecord);
  NODE_SET_METHOD(exports, "move", move);
}
