#ifndef MISTERTOP_CNCURSES_SHIM_H
#define MISTERTOP_CNCURSES_SHIM_H

// Everything that is used of ncurses. Swift imports neither macros nor, in its latest language mode, global C
// variables, so those are wrapped here; types and plain functions are imported directly.

#define NCURSES_WIDECHAR 1
#define _XOPEN_SOURCE_EXTENDED 1
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

// Declared in <term.h>, which would bring its own <termios.h> into every module that imports this one.
extern int setupterm(const char *type, int output, int *error);
extern char *tigetstr(const char *name);
// The names of all capabilities in the order of a compiled entry; each list ends with NULL.
extern NCURSES_CONST char *const boolnames[];
extern NCURSES_CONST char *const numnames[];
extern NCURSES_CONST char *const strnames[];

#if defined(NCURSES_EXT_COLORS) && NCURSES_EXT_COLORS >= 20170401
#define MISTERTOP_EXTENDED_PAIRS 1
#endif

// newterm on our own descriptors; the streams are not used for anything else.
static inline SCREEN *shim_newterm(const char *type, int output, int input) {
  FILE *out = fdopen(output, "w");
  FILE *in = fdopen(input, "r");
  if (out == NULL || in == NULL) return NULL;
  return newterm((NCURSES_CONST char *)type, out, in);
}

// A string capability of the terminal; NULL if it does not have one of that name.
static inline const char *shim_string(const char *name) {
  const char *value = tigetstr(name);
  return value == (const char *)-1 ? NULL : value;
}

// The names of the flags, numbers and strings that a terminfo entry can contain.
static inline const char *const *shim_flag_names(void) { return (const char *const *)boolnames; }
static inline const char *const *shim_number_names(void) { return (const char *const *)numnames; }
static inline const char *const *shim_string_names(void) { return (const char *const *)strnames; }

// The sequence of a color capability for a color number; for tests.
static inline const char *shim_color_text(const char *text, int color) {
  return tparm((NCURSES_CONST char *)text, (long)color, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
}

static inline int shim_colors(void) { return COLORS; }

// Maximum color pairs.
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

// Puts one cell: a base character and up to two combining marks, zero if unused.
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

// Makes the next refresh redraw everything.
static inline void shim_forget(void) {
  clearok(curscr, TRUE);
  touchwin(stdscr);
}

// Sets the cursor position for the next refresh.
static inline void shim_place(int y, int x) { wmove(stdscr, y, x); }

// 1 if the terminal can position text, 0 if it cannot, -1 if the database does not contain it.
static inline int shim_is_usable(const char *type, int output) {
  int error = 0;
  if (setupterm(type, output, &error) == ERR) return -1;
  return shim_string("cup") != NULL && shim_string("clear") != NULL;
}

// Output only, and completely: no line buffering or echo of keys, and no interruption of the output when a key is
// pressed.
static inline void shim_prepare(void) {
  cbreak();
  noecho();
  nonl();
  typeahead(-1);
  scrollok(stdscr, FALSE);
}

#endif
