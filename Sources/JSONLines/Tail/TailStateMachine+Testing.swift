extension TailStateMachine {
  /// Size of the first read, in bytes.
  package var chunkForTesting: Int { options.chunk }
}
