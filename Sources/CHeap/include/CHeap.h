#ifndef MISTERTOP_CHEAP_H
#define MISTERTOP_CHEAP_H

/// Makes all threads allocate from one heap, and large blocks from the system, so that freed memory can be reused by
/// any thread and large blocks leave no gaps. Call before other threads exist. Has no effect if the C library does not
/// support it.
void heap_keep_together(void);

/// Returns free memory inside the heap to the system. Has no effect if the C library does not support it.
void heap_give_back(void);

#endif
