package import Aggregation
package import Platform

/// Which sample's line is wanted.
package struct LineQuery: Hashable, Sendable {
  package let identity: SeriesIdentity
  package let time: Timestamp
  package let value: SeriesValue
  /// Its place in the list that it was chosen from; `nil` for what was chosen elsewhere.
  package let selection: Int?
  /// Text contained in the value, where the moment alone does not tell which line it is.
  package var holding: [String] = []

  package init(identity: SeriesIdentity, time: Timestamp, value: SeriesValue, selection: Int?) {
    self.identity = identity
    self.time = time
    self.value = value
    self.selection = selection
  }

  /// The line of an entry of an engine.
  package init(identity: SeriesIdentity, time: Timestamp, holding: [String]) {
    self.init(identity: identity, time: time, value: .null, selection: nil)
    self.holding = holding
  }
}

/// A line of a file as it was written.
package struct RawLine: Hashable, Sendable {
  package let source: String
  /// From 1; `nil` where counting would mean reading much.
  package let line: Int?
  /// Where it begins, in bytes.
  package let offset: UInt64
  package let text: String

  package init(source: String, line: Int?, offset: UInt64, text: String) {
    self.source = source
    self.line = line
    self.offset = offset
    self.text = text
  }
}
