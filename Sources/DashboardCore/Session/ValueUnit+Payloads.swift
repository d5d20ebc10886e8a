import Codecs
import TelemetryCore

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

  /// The unit that a recorded figure states; `nil` for those that have no other name.
  package init?(payloadUnit word: String, of figure: String) {
    switch word {
    case "ms": self = .milliseconds
    case "sec": self = .seconds
    case "kiloinstructions": self = .thousands
    case "Hz": self = .hertz
    default:
      guard let bytes = ByteReading.stored.bytes(perUnit: word, of: figure) else { return nil }
      self = bytes == 1 ? .bytes : bytes == 1000 ? .kilobytes : .kibibytes
    }
  }

  private static let kibibyteProperties: Set<String> = [
    "peakMemoryUsage", "averageSuspendedMemory", "averageMemory", "cumulativeLogicalWrites",
    "totalWritesCaused", "cumulativeWifiUpload", "cumulativeWifiDownload", "cumulativeCellularUpload",
    "cumulativeCellularDownload",
  ]
}
