// The findings of a crash handler: the location of the crash, determined without trusting the program's memory.
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "Shared.h"

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>

// Copies two words if they are readable; the stack itself may be corrupt.
static int read_words(uintptr_t from, uintptr_t words[2]) {
  struct iovec to = {words, 2 * sizeof *words}, source = {(void *)from, 2 * sizeof *words};
  return process_vm_readv(getpid(), &to, 1, &source, 1, 0) == (ssize_t)(2 * sizeof *words);
}

static void add_frame(struct crash_note *note, uintptr_t address) {
  if (address != 0 && note->count < frame_capacity) note->frames[note->count++] = address;
}

// Every frame stores its caller's frame pointer next to the return address.
static void note_stack(struct crash_note *note, const ucontext_t *context) {
#if defined(__x86_64__)
  const greg_t *registers = context->uc_mcontext.gregs;
  uintptr_t frame = (uintptr_t)registers[REG_RBP];
  note->stack = (uintptr_t)registers[REG_RSP];
  add_frame(note, (uintptr_t)registers[REG_RIP]);
#elif defined(__aarch64__)
  uintptr_t frame = context->uc_mcontext.regs[29];
  note->stack = context->uc_mcontext.sp;
  add_frame(note, context->uc_mcontext.pc);
#else
  uintptr_t frame = 0;
  (void)context;
#endif
  uintptr_t words[2];
  while (frame != 0 && note->count < frame_capacity && read_words(frame, words)) {
    add_frame(note, words[1]);
    // Callers are always at higher addresses; anything else is not a chain of frames.
    if (words[0] <= frame) break;
    frame = words[0];
  }
}

static void note_thread(struct crash_note *note) {
  note->thread = syscall(SYS_gettid);
  prctl(PR_GET_NAME, note->thread_name);
}
#else
static void note_stack(struct crash_note *note, const void *context) {
  (void)note;
  (void)context;
}

static void note_thread(struct crash_note *note) { (void)note; }
#endif

void note_crash(struct crash_note *note, int number, const siginfo_t *info, void *context) {
  // Only the first crash counts.
  if (atomic_load(&note->number) != 0) return;
  note->code = info->si_code;
  note->address = (uintptr_t)info->si_addr;
  note->count = 0;
  note_thread(note);
  note_stack(note, context);
  atomic_store(&note->number, number);
}
