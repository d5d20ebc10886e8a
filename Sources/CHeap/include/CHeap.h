#ifndef MISTERTOP_CHEAP_H
#define MISTERTOP_CHEAP_H

/// Has all threads take memory from one heap, and large blocks from the system: what one thread has freed, every other
/// may use, and what was large leaves no gap. To be called before there are threads. Does nothing where the C library knows no such thing.
void heap_keep_together(void);

/// Gives memory that is free inside the heap back to the system. Does nothing where the C library knows no such thing.
void heap_give_back(void);

#endif
