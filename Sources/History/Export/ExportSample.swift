package import JSONLines
package import Platform

/// One sample on its way into another form.
package struct ExportSample {
  /// The metric, by its number in the writer.
  package var metric: Int
  package var time: Timestamp
  package var kind: SampleKind
  /// The number, for the kinds that have one, else 0.
  package var number: Double
  /// The bytes behind the value, as ``SampleKind`` says of them.
  package var payload: ArraySlice<UInt8>
  /// The line as it was recorded, without its newline; empty for writers that do not want it.
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
