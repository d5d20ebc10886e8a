import Codecs
import DashboardCore
import History
import TelemetryCore

/// The displayed unit of a payload figure.
struct OverviewUnit: Hashable, Sendable {
  private let unit: ValueUnit
  /// The factor from the figure's unit to the displayed one.
  private let factor: Double
  /// The text after the number.
  private let suffix: String

  private init(_ unit: ValueUnit, factor: Double = 1, suffix: String = "") {
    (self.unit, self.factor, self.suffix) = (unit, factor, suffix)
  }

  /// Maximum number of displayed characters of an unknown unit.
  private static let unknownLimit = 8

  /// The unit of a figure, from Apple's unit word; for bytes, also from the figure's name.
  init(_ word: String, of figure: String) {
    if let bytes = ByteReading.stored.bytes(perUnit: word, of: figure) {
      self.init(.bytes, factor: bytes, suffix: "B")
    } else {
      self = Self.known[word] ?? OverviewUnit(.plain, suffix: " " + word.prefixed(Self.unknownLimit))
    }
  }

  /// Seconds per hour of use.
  static let secondsPerHour = OverviewUnit(.seconds, suffix: "/h")
  static let count = OverviewUnit(.plain)

  private static let known: [String: OverviewUnit] = [
    PayloadArchive.unitOfTimes: OverviewUnit(.milliseconds), "sec": OverviewUnit(.seconds),
    "count": count, "": count, "kiloinstructions": OverviewUnit(.plain, factor: 1000),
    "bars": OverviewUnit(.plain, suffix: " bars"), "apl": OverviewUnit(.plain, suffix: " apl"),
    // In milliseconds: a plain number could get a second prefix, as in kms/s.
    "ms per s": OverviewUnit(.milliseconds, suffix: "/s"),
  ]

  /// The unit per hour or per day.
  func per(_ time: String) -> OverviewUnit {
    OverviewUnit(unit, factor: factor, suffix: suffix + "/" + time)
  }

  /// A value in seconds, bytes or plain.
  func base(_ value: Double) -> Double { value * factor * (unit == .milliseconds ? 1e-3 : 1) }

  /// Kinds of quantities.
  enum Dimension { case time, bytes, plain }

  var dimension: Dimension {
    switch unit.dimension {
    case .time: .time
    case .bytes: .bytes
    default: .plain
    }
  }

  /// The end of the suffix that tells an amount per time: `/d`, `/h`; empty for none.
  var rate: String { suffix.firstIndex(of: "/").map { String(suffix[$0...]) } ?? "" }

  /// The word of a unit without a dimension: `bars`; empty for none.
  var word: String { dimension == .plain ? String(suffix.drop { $0 == " " }.prefix { $0 != "/" }) : "" }

  /// The size of the unit of a number that is written without one, in seconds or bytes: the recorded unit of times,
  /// and megabytes, in which the overview shows most sizes.
  var bareFactor: Double {
    switch dimension {
    case .time: unit == .milliseconds ? 1e-3 : 1
    case .bytes: 1e6
    case .plain: 1
    }
  }

  /// A value in seconds, bytes or plain as text: `183ms`, `4.1MB/d`.
  func baseText(_ value: Double) -> String { unit.text(value * (unit == .milliseconds ? 1e3 : 1)) + suffix }

  /// A value with its margin of error, in the longest of three forms that fits: `1.30s ±410ms/h`, `1.30s±410ms/h`, `1.30s/h`.
  func text(_ value: Double, margin: Double, sign: String, room: Int) -> String {
    let (bare, margin) = (unit.text(value * factor), unit.text(margin * factor))
    let unit = suffix == "B" ? "B" : ""
    let forms = ["\(bare)\(unit) \(sign)\(margin)\(suffix)", "\(bare)\(unit)\(sign)\(margin)\(suffix)"]
    return forms.first { $0.count <= room } ?? bare + suffix
  }

  /// A compact value: `183ms`, `4.1MB`, `92.6s/h`.
  func text(_ value: Double) -> String { unit.text(value * factor) + suffix }
}
