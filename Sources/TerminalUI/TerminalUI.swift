// The module TerminalUI.
