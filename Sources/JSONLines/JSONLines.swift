// The module JSONLines.
