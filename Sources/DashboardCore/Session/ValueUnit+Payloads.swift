import Codecs

extension ValueUnit {
  /// The unit of a payload's number, by the name of its figure; `nil` for figures unknown to Apple's payloads.
  ///
  /// Every record holds the unit, too, but a row of a list must know it without reading a record.
  package init?(payloadFigure name: String) {
    guard let property = name.split(separator: ".").last(where: { $0 != "standardDeviation" }) else {
      return nil
    }
    let word = String(property)
    if word.hasSuffix("TimeRatio") { return nil }
    if word.hasSuffix("Time") || word.hasSuffix("Duration") {
      self = .seconds
    } else if name.hasPrefix("diskSpaceUsageMetrics."), word.hasSuffix("Size") || word.hasSuffix("Capacity") {
      self = .kilobytes
    } else if Self.kibibyteProperties.contains(word) {
      self = .kibibytes
    } else if word == "cumulativeCPUInstructions" {
      self = .thousands
    } else {
      return nil
    }
  }

  private static let kibibyteProperties: Set<String> = [
    "peakMemoryUsage", "averageSuspendedMemory", "averageMemory", "cumulativeLogicalWrites",
    "totalWritesCaused", "cumulativeWifiUpload", "cumulativeWifiDownload", "cumulativeCellularUpload",
    "cumulativeCellularDownload",
  ]
}
