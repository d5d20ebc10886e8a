extension TailStateMachine {
  /// Bytes that the next read asks for while nothing was read.
  package var chunkForTesting: Int { options.chunk }
}
