// The module TerminalNcurses.
