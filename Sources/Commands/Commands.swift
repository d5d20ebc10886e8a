// The module Commands.
