import Codecs
package import JSONLines

/// The value of one recorded figure of a payload.
package struct PayloadFigureValue: Sendable {
  /// The unit in Apple's spelling.
  package let unit: String
  package let value: PayloadArchive.Value

  /// True for a metric whose values are figures of payloads.
  package static func isRecorded(in metric: MetricIdentity) -> Bool {
    switch PayloadRole(metric) {
    case .scalar, .histogram: true
    case .unknown, .other, .document, .diagnostic, .original: false
    }
  }

  /// Reads a recorded value; `nil` for anything else.
  package init?(_ json: ArraySlice<UInt8>) {
    let read = json.withUnsafeBytes { json -> (String, PayloadArchive.Value)? in
      guard let figure = RecordedFigure(json), let unit = figure.unit?.string else { return nil }
      if figure.bins != nil { return (unit, .bins(figure.readBins())) }
      return figure.number.map { (unit, .number($0)) }
    }
    guard let (unit, value) = read else { return nil }
    (self.unit, self.value) = (unit, value)
  }

  /// Maximum number of samples of one histogram; a day of a device has far fewer.
  private static let sampleLimit = 20_000

  /// Calls `body` with each number: of a histogram, the middle of its bin for each sample.
  package func forEachNumber(_ body: (Double) -> Void) {
    switch value {
    case .number(let number): body(number)
    case .bins(let bins):
      var left = Self.sampleLimit
      for bin in bins where left > 0 {
        let middle = bin.start / 2 + bin.upper(unit: unit) / 2
        for _ in 0..<min(bin.count, left) { body(middle) }
        left -= min(bin.count, left)
      }
    }
  }
}
