package import Aggregation
package import Platform

/// Identifies the sample whose line is requested.
package struct LineQuery: Hashable, Sendable {
  package let identity: SeriesIdentity
  package let time: Timestamp
  package let value: SeriesValue
  /// The place in the list that the sample was chosen from; `nil` if it was chosen elsewhere.
  package let selection: Int?
  /// Text contained in the value, where the time alone does not identify the line.
  package var holding: [String] = []

  package init(identity: SeriesIdentity, time: Timestamp, value: SeriesValue, selection: Int?) {
    self.identity = identity
    self.time = time
    self.value = value
    self.selection = selection
  }

  /// A query for the line of an engine's entry.
  package init(identity: SeriesIdentity, time: Timestamp, holding: [String]) {
    self.init(identity: identity, time: time, value: .null, selection: nil)
    self.holding = holding
  }
}

/// A line of a file as it was written.
package struct RawLine: Hashable, Sendable {
  package let source: String
  /// The line number, from 1; `nil` where counting would mean reading much of the file.
  package let line: Int?
  /// Byte offset of the line.
  package let offset: UInt64
  package let text: String

  package init(source: String, line: Int?, offset: UInt64, text: String) {
    self.source = source
    self.line = line
    self.offset = offset
    self.text = text
  }
}
