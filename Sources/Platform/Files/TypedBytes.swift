extension Array where Element == UInt8 {
  /// As `withUnsafeBytes`, but preserves the type of errors that `body` throws.
  package func withTypedBytes<Value, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try withUnsafeBytes { bytes in Result { () throws(Failure) in try body(bytes) } }.get()
  }
}
