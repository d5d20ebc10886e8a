#ifndef MISTERTOP_CQUIETSTART_H
#define MISTERTOP_CQUIETSTART_H

/// Has the crash handler of the Swift runtime not ask on the program's terminal what to do («Press space to interact»),
/// which would hold the terminal for half a minute. To be called before anything else.
void refuse_crash_prompt(void);

/// Opens standard input, output and error on nothing where the program was started without them: the next file to be
/// opened would get their number, and what is printed would be written into it. To be called before any file is opened.
void occupy_standard_streams(void);

#endif
