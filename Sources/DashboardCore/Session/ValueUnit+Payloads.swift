import Codecs
import History
import TelemetryCore

extension ValueUnit {
  /// The unit of a payload's number, by the name of its figure; `nil` for figures unknown to Apple's payloads.
  ///
  /// Every record holds the unit, too, but a row of a list must know it without reading a record.
  package init?(payloadFigure name: String) {
    let figure = StateFigureName(name)?.figure ?? name
    guard let unit = figure == "duration" ? "sec" : PayloadFigure.unit(ofFigure: figure) else { return nil }
    self.init(payloadUnit: unit, of: figure)
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
}
