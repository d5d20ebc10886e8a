package import JSONLines
package import Platform

/// One sample to be exported.
package struct ExportSample {
  /// The number of the metric in the writer.
  package var metric: Int
  package var time: Timestamp
  package var kind: SampleKind
  /// The number, for kinds that have one; otherwise 0.
  package var number: Double
  /// The bytes of the value, as described by ``SampleKind``.
  package var payload: ArraySlice<UInt8>
  /// The recorded line, without its newline; empty for writers that do not want it.
  package var line: UnsafeRawBufferPointer

  package init(
    metric: Int, time: Timestamp, kind: SampleKind, number: Double = 0, payload: ArraySlice<UInt8> = [],
    line: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) {
    self.metric = metric
    self.time = time
    self.kind = kind
    self.number = number
    self.payload = payload
    self.line = line
  }
}
