/* Runs every function of cases.h one instruction at a time, and unwinds from each instruction to the caller: the way to
 * it, its stack pointer and its callee-saved registers must be those of the call. Functions lie in a shared object;
 * with LIBUNWIND defined libunwind unwinds, else the compiler's own library. Prints instructions and places checked. */
#define _GNU_SOURCE
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#ifdef LIBUNWIND
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#else
#include <unwind.h>
#endif

struct call {
  void (*function)(const void *, void *, int64_t, int64_t, int64_t);
  int64_t count, first, length;
  /* Bytes of each side, and where its address 0 lies in them. */
  int64_t source_bytes, source_origin, target_bytes, target_origin;
};
#include "cases.h"

/* What a caller keeps in rbx, rbp, r12 to r15; and its stack pointer before the call. */
static const uintptr_t kept[6] = {0x1111111111111111, 0x2222222222222222, 0x3333333333333333,
                                  0x4444444444444444, 0x5555555555555555, 0x6666666666666666};
uintptr_t stack_before;

/* The caller: loads its registers, starts to step, and calls. Its own frame is in rsp alone, said by hand. */
void traced(void (*function)(const void *, void *, int64_t, int64_t, int64_t), const struct call *call,
            const void *source, void *target);
extern const char after_call[];
__asm__(".text\n.globl traced\n.type traced, @function\ntraced:\n.cfi_startproc\n"
        "push %rbx\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %rbx, 0\n"
        "push %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %rbp, 0\n"
        "push %r12\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %r12, 0\n"
        "push %r13\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %r13, 0\n"
        "push %r14\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %r14, 0\n"
        "push %r15\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %r15, 0\n"
        "sub $8, %rsp\n.cfi_adjust_cfa_offset 8\n"
        "mov %rdi, %rax\nmov %rsi, %r11\nmov %rdx, %rdi\nmov %rcx, %rsi\n"
        "mov 8(%r11), %rdx\nmov 16(%r11), %rcx\nmov 24(%r11), %r8\n"
        "mov $0x1111111111111111, %rbx\nmov $0x2222222222222222, %rbp\nmov $0x3333333333333333, %r12\n"
        "mov $0x4444444444444444, %r13\nmov $0x5555555555555555, %r14\nmov $0x6666666666666666, %r15\n"
        "mov %rsp, stack_before(%rip)\n"
        "pushfq\n.cfi_adjust_cfa_offset 8\norl $0x100, (%rsp)\npopfq\n.cfi_adjust_cfa_offset -8\n"
        "call *%rax\n.globl after_call\nafter_call:\n"
        "pushfq\n.cfi_adjust_cfa_offset 8\nandl $~0x100, (%rsp)\npopfq\n.cfi_adjust_cfa_offset -8\n"
        "add $8, %rsp\n.cfi_adjust_cfa_offset -8\n"
        "pop %r15\n.cfi_adjust_cfa_offset -8\n.cfi_restore %r15\n"
        "pop %r14\n.cfi_adjust_cfa_offset -8\n.cfi_restore %r14\n"
        "pop %r13\n.cfi_adjust_cfa_offset -8\n.cfi_restore %r13\n"
        "pop %r12\n.cfi_adjust_cfa_offset -8\n.cfi_restore %r12\n"
        "pop %rbp\n.cfi_adjust_cfa_offset -8\n.cfi_restore %rbp\n"
        "pop %rbx\n.cfi_adjust_cfa_offset -8\n.cfi_restore %rbx\nret\n.cfi_endproc\n.size traced, .-traced\n");

static uintptr_t code_start, code_end;
/* For each byte of code: how often an instruction there was unwound from. */
static unsigned char *seen;
static uint64_t steps, left_steps, places, wrong;

static int in_code(uintptr_t address) { return address >= code_start && address < code_end; }

static void expect_equal(const char *what, uintptr_t pc, uintptr_t expected, uintptr_t got) {
  if (expected == got) return;
  if (wrong++ < 20)
    fprintf(stderr, "at code + %#zx, %s: expected %#zx, got %#zx\n", (size_t)(pc - code_start), what, (size_t)expected,
            (size_t)got);
}

/* What is left of the way out of the code: 0, in the handler; 1, in the code; 2, the caller was found. */
struct way {
  uintptr_t pc;
  int stage;
};

static int next_frame(struct way *way, uintptr_t ip) {
  if (in_code(ip)) way->stage = 1;
  else if (way->stage == 1) way->stage = 2;
  return way->stage == 2;
}

static void check_caller(struct way *way, uintptr_t ip, uintptr_t stack, const uintptr_t registers[6]) {
  static const char *const names[] = {"rbx", "rbp", "r12", "r13", "r14", "r15"};
  expect_equal("return address", way->pc, (uintptr_t)after_call, ip);
  expect_equal("rsp", way->pc, stack_before, stack);
  for (int i = 0; i < 6; i++) expect_equal(names[i], way->pc, kept[i], registers[i]);
}

#ifdef LIBUNWIND
static void unwind(struct way *way, ucontext_t *context) {
  static const int numbers[] = {UNW_X86_64_RBX, UNW_X86_64_RBP, UNW_X86_64_R12,
                                UNW_X86_64_R13, UNW_X86_64_R14, UNW_X86_64_R15};
  unw_cursor_t cursor;
  unw_word_t ip, stack, registers[6];
  unw_init_local2(&cursor, context, UNW_INIT_SIGNAL_FRAME);
  do {
    unw_get_reg(&cursor, UNW_REG_IP, &ip);
    if (!next_frame(way, ip)) continue;
    unw_get_reg(&cursor, UNW_REG_SP, &stack);
    for (int i = 0; i < 6; i++) unw_get_reg(&cursor, numbers[i], &registers[i]);
    check_caller(way, ip, stack, (const uintptr_t *)registers);
    return;
  } while (unw_step(&cursor) > 0);
}
#else
static _Unwind_Reason_Code frame(struct _Unwind_Context *context, void *state) {
  static const int numbers[] = {3, 6, 12, 13, 14, 15};
  uintptr_t ip = _Unwind_GetIP(context), registers[6];
  if (!next_frame(state, ip)) return _URC_NO_REASON;
  for (int i = 0; i < 6; i++) registers[i] = _Unwind_GetGR(context, numbers[i]);
  check_caller(state, ip, _Unwind_GetCFA(context), registers);
  return _URC_NORMAL_STOP;
}

static void unwind(struct way *way, ucontext_t *context) {
  (void)context;
  _Unwind_Backtrace(frame, way);
}
#endif

/* So often is one place unwound from: loops come by it with other registers each time. */
enum { OFTEN = 4 };

static void on_step(int signal, siginfo_t *info, void *state) {
  (void)signal, (void)info;
  ucontext_t *context = state;
  uintptr_t pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
  if (!in_code(pc)) return;
  steps++;
  if (left_steps-- == 0) context->uc_mcontext.gregs[REG_EFL] &= ~0x100;
  if (seen[pc - code_start] == OFTEN) return;
  if (seen[pc - code_start]++ == 0) places++;
  struct way way = {pc, 0};
  unwind(&way, context);
  if (way.stage != 2) expect_equal("caller", pc, (uintptr_t)after_call, 0);
}

static int find_code(struct dl_phdr_info *info, size_t size, void *state) {
  (void)size, (void)state;
  if (strstr(info->dlpi_name, "libcases.so") == NULL) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    code_start = info->dlpi_addr + header->p_vaddr;
    code_end = code_start + header->p_memsz;
  }
  return 1;
}

static char *side(int64_t bytes) {
  char *memory = mmap(NULL, (size_t)bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) exit(2);
  return memory;
}

int main(int argc, char **argv) {
  uint64_t most = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
  dl_iterate_phdr(find_code, NULL);
  seen = calloc(code_end - code_start, 1);
  stack_t stack = {.ss_sp = malloc(1 << 20), .ss_size = 1 << 20};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaction(SIGTRAP, &action, NULL);
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    const struct call *call = &calls[i];
    char *source = side(call->source_bytes), *target = side(call->target_bytes);
    left_steps = most;
    traced(call->function, call, source + call->source_origin, target + call->target_origin);
    munmap(source, (size_t)call->source_bytes + 1);
    munmap(target, (size_t)call->target_bytes + 1);
  }
  printf("%llu steps, %llu places, %llu wrong\n", (unsigned long long)steps, (unsigned long long)places,
         (unsigned long long)wrong);
  return wrong != 0;
}
