import Codecs
import DashboardCore
import History
import TelemetryCore

/// The unit of a figure of payloads, for the screen.
struct OverviewUnit: Hashable, Sendable {
  private let unit: ValueUnit
  /// The size of one of the figure, in that unit.
  private let factor: Double
  /// The text after the number.
  private let suffix: String

  private init(_ unit: ValueUnit, factor: Double = 1, suffix: String = "") {
    (self.unit, self.factor, self.suffix) = (unit, factor, suffix)
  }

  /// Maximum number of characters shown of an unknown unit.
  private static let unknownLimit = 8

  /// The unit of a figure: its word as Apple writes it, and for bytes its name.
  init(_ word: String, of figure: String) {
    if let bytes = ByteReading.stored.bytes(perUnit: word, of: figure) {
      self.init(.bytes, factor: bytes, suffix: "B")
    } else {
      self = Self.known[word] ?? OverviewUnit(.plain, suffix: " " + word.prefixed(Self.unknownLimit))
    }
  }

  /// Seconds in an hour of use.
  static let secondsPerHour = OverviewUnit(.seconds, suffix: "/h")
  static let count = OverviewUnit(.plain)

  private static let known: [String: OverviewUnit] = [
    PayloadArchive.unitOfTimes: OverviewUnit(.milliseconds), "sec": OverviewUnit(.seconds),
    "count": count, "": count, "kiloinstructions": OverviewUnit(.plain, factor: 1000),
    "bars": OverviewUnit(.plain, suffix: " bars"), "apl": OverviewUnit(.plain, suffix: " apl"),
    // A prefix before a unit that has one, as in kms/s, is none.
    "ms per s": OverviewUnit(.milliseconds, suffix: "/s"),
  ]

  /// The same for each hour or each day.
  func per(_ time: String) -> OverviewUnit {
    OverviewUnit(unit, factor: factor, suffix: suffix + "/" + time)
  }

  /// A value in a few columns: `183ms`, `4.1MB`, `92.6s/h`.
  func text(_ value: Double) -> String { unit.text(value * factor) + suffix }
}
