#ifndef MISTERTOP_CQUIETSTART_H
#define MISTERTOP_CQUIETSTART_H

/// Keeps the crash handler of the Swift runtime from prompting on the program's terminal ("Press space to interact"),
/// which would block the terminal for half a minute. Call before anything else.
void refuse_crash_prompt(void);

/// The arguments of the program, its name first.
char **start_arguments(int *count);

/// Opens standard input, output and error on /dev/null if they are closed at the start: otherwise the next file opened
/// would get their number, and output would be written into it. Call before any file is opened.
void occupy_standard_streams(void);

#endif
