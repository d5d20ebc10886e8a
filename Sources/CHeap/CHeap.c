#include "CHeap.h"

#ifdef __linux__
#include <features.h>
#endif

#ifdef __GLIBC__
#include <malloc.h>

void heap_keep_together(void) {
  mallopt(M_ARENA_MAX, 1);
  // A fixed threshold; otherwise it grows with every large block that is freed, until large blocks are allocated among
  // the small ones.
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
}

void heap_give_back(void) { malloc_trim(0); }
#else
void heap_keep_together(void) {}

void heap_give_back(void) {}
#endif
