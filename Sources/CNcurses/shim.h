#ifndef MISTERTOP_CNCURSES_SHIM_H
#define MISTERTOP_CNCURSES_SHIM_H

// The full list of what is taken from ncurses. Swift sees no macros and, in its newest mode, no shared
// variables of C, so each is wrapped here; the types and plain functions come through by themselves.

#define NCURSES_WIDECHAR 1
#define _XOPEN_SOURCE_EXTENDED 1
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

// From <term.h>, which would bring its own <termios.h> into every module that sees this one.
extern int setupterm(const char *type, int output, int *error);
extern char *tigetstr(const char *name);
// The names of all capabilities in the order of a compiled entry, each list ended by NULL.
extern NCURSES_CONST char *const boolnames[];
extern NCURSES_CONST char *const numnames[];
extern NCURSES_CONST char *const strnames[];

#if defined(NCURSES_EXT_COLORS) && NCURSES_EXT_COLORS >= 20170401
#define MISTERTOP_EXTENDED_PAIRS 1
#endif

// newterm on descriptors of ours: the streams are never used for anything else.
static inline SCREEN *shim_newterm(const char *type, int output, int input) {
  FILE *out = fdopen(output, "w");
  FILE *in = fdopen(input, "r");
  if (out == NULL || in == NULL) return NULL;
  return newterm((NCURSES_CONST char *)type, out, in);
}

// A capability of the terminal; NULL when it has none of that name.
static inline const char *shim_string(const char *name) {
  const char *value = tigetstr(name);
  return value == (const char *)-1 ? NULL : value;
}

// The names of the flags, numbers and strings that a terminfo entry can hold.
static inline const char *const *shim_flag_names(void) { return (const char *const *)boolnames; }
static inline const char *const *shim_number_names(void) { return (const char *const *)numnames; }
static inline const char *const *shim_string_names(void) { return (const char *const *)strnames; }

// The sequence a color capability sends for a number; for tests.
static inline const char *shim_color_text(const char *text, int color) {
  return tparm((NCURSES_CONST char *)text, (long)color, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
}

static inline int shim_colors(void) { return COLORS; }

// Pairs of colours that may be used at a time.
static inline int shim_pairs(void) {
#ifdef MISTERTOP_EXTENDED_PAIRS
  return COLOR_PAIRS;
#else
  return COLOR_PAIRS < 32767 ? COLOR_PAIRS : 32767;
#endif
}

static inline int shim_init_pair(int pair, int foreground, int background) {
#ifdef MISTERTOP_EXTENDED_PAIRS
  return init_extended_pair(pair, foreground, background);
#else
  return init_pair((short)pair, (short)foreground, (short)background);
#endif
}

static inline attr_t shim_bold(void) { return WA_BOLD; }
static inline attr_t shim_dim(void) { return WA_DIM; }
static inline attr_t shim_underline(void) { return WA_UNDERLINE; }
static inline attr_t shim_reverse(void) { return WA_REVERSE; }
static inline attr_t shim_italic(void) {
#ifdef WA_ITALIC
  return WA_ITALIC;
#else
  return 0;
#endif
}

// Puts one cell: a base sign and up to two combining marks, zero when unused.
static inline int shim_put(int y, int x, unsigned base, unsigned first, unsigned second, attr_t attributes,
                           int pair) {
  wchar_t text[4] = {(wchar_t)base, (wchar_t)first, (wchar_t)second, 0};
  cchar_t cell;
#ifdef MISTERTOP_EXTENDED_PAIRS
  if (setcchar(&cell, text, attributes, 0, &pair) == ERR) return ERR;
#else
  if (setcchar(&cell, text, attributes, (short)pair, NULL) == ERR) return ERR;
#endif
  return mvwadd_wch(stdscr, y, x, &cell);
}

static inline void shim_erase(void) { werase(stdscr); }
static inline void shim_refresh(void) { wrefresh(stdscr); }

// The next refresh draws everything.
static inline void shim_forget(void) {
  clearok(curscr, TRUE);
  touchwin(stdscr);
}

// Where the cursor stands after the next refresh.
static inline void shim_place(int y, int x) { wmove(stdscr, y, x); }

// 1 when the database has the terminal and it can place text.
static inline int shim_is_usable(const char *type, int output) {
  int error = 0;
  if (setupterm(type, output, &error) == ERR) return -1;
  return shim_string("cup") != NULL && shim_string("clear") != NULL;
}

// Output only, and all of it: no waiting for keys, no breaking off when a key waits.
static inline void shim_prepare(void) {
  cbreak();
  noecho();
  nonl();
  typeahead(-1);
  scrollok(stdscr, FALSE);
}

#endif
