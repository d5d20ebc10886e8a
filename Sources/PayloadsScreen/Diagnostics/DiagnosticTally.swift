import Aggregation
import Codecs

/// The use of an app on one side, over which diagnostics are counted.
struct DiagnosticExposure: Hashable, Sendable {
  /// Device-days, which are the metric payloads.
  let days: Int
  /// Foreground hours; `nil` if too few days tell them.
  let hours: Double?
  /// Number of days that tell them.
  let daysWithHours: Int

  static let none = DiagnosticExposure(days: 0, hours: nil)

  /// - Parameter hours: The hours of all days.
  init(days: Int, hours: Double?) {
    (self.days, self.hours, daysWithHours) = (days, hours, hours == nil ? 0 : days)
  }

  /// - Parameter foreground: The seconds of use of each day that tells them. If at least half of the days do, the others
  ///   are taken as equally long.
  init(days: Int, foreground: [Double]) {
    (self.days, daysWithHours) = (days, foreground.count)
    let known = Double(foreground.count)
    hours =
      !foreground.isEmpty && foreground.count * 2 >= days
      ? foreground.reduce(0, +) / 3600 * Double(days) / known : nil
  }

  /// `estimated from 299 of 301 days`; `nil` if each day tells its hours, or too few do.
  var estimate: String? {
    hours == nil || daysWithHours >= days
      ? nil
      : "estimated from \(NumberFormat.grouped(daysWithHours)) of \(NumberFormat.grouped(days)) days"
  }

  /// A note on the days whose hours are unknown; `nil` if there are none.
  var noteOnHours: String? {
    days == 0 || daysWithHours >= days ? nil : estimate.map { "hours \($0)" } ?? lackOfHours
  }

  /// The reason why there is no rate per hour.
  var lackOfHours: String {
    "\(NumberFormat.grouped(daysWithHours)) of \(NumberFormat.grouped(days)) days tell their foreground time"
  }
}

/// Number of diagnostics on one side, and how often they come.
struct DiagnosticTally: Hashable, Sendable {
  /// A rate with its bounds at 95 % confidence.
  struct Rate: Hashable, Sendable {
    let value: Double
    let lower: Double
    let upper: Double

    /// The larger of both distances from the bounds.
    var margin: Double { max(upper - value, value - lower) }
  }

  let count: Int
  /// Number of all diagnostics of the kind on this side.
  let all: Int
  let exposure: DiagnosticExposure
  /// Number of users, or else of payloads, that they come from.
  let sources: Int
  /// Number of diagnostics that are independent of each other; those of one user are alike.
  let independent: Double

  /// - Parameter sources: The user of each diagnostic, or else its payload.
  init(sources: some Sequence<String>, all: Int? = nil, exposure: DiagnosticExposure) {
    let counts = Dictionary(sources.map { ($0, 1.0) }, uniquingKeysWith: +).values.sorted()
    (count, self.sources) = (Int(counts.reduce(0, +)), counts.count)
    self.all = all ?? count
    self.exposure = exposure
    independent = Self.independent(counts)
  }

  /// Number of independent events that are as certain as these, of which some come from one source (Kish's effective
  /// number).
  private static func independent(_ counts: [Double]) -> Double {
    let (sum, squares) = counts.reduce(into: (0.0, 0.0)) { $0 = ($0.0 + $1, $0.1 + $1 * $1) }
    return squares > 0 ? sum * sum / squares : 0
  }

  /// The bounds of a total, from the counts of its sources.
  static func bounds(of counts: [Double]) -> CountBounds {
    CountBounds(counts.reduce(0, +), independent: independent(counts))
  }

  /// The share of the diagnostics of the kind; `nil` if there are none.
  var share: Double? { all > 0 ? Double(count) / Double(all) : nil }

  /// The rate per 1,000 device-days; `nil` if no day is known.
  var perThousandDays: Rate? { rate(over: Double(exposure.days) / 1000) }

  /// The rate per 1,000 foreground hours; `nil` if they are unknown.
  var perThousandHours: Rate? { exposure.hours.flatMap { rate(over: $0 / 1000) } }

  private func rate(over exposure: Double) -> Rate? {
    guard exposure > 0 else { return nil }
    let bounds = CountBounds(Double(count), independent: independent)
    return Rate(
      value: Double(count) / exposure, lower: bounds.lower / exposure, upper: bounds.upper / exposure)
  }
}

extension DiagnosticTally.Rate {
  /// The unit of the rates on the overview.
  static let unitOfDays = "/1000d"

  static func number(_ value: Double) -> String {
    value >= 1000
      ? NumberFormat.scaled(value, prefixes: ["", "k", "M", "G"])
      : NumberFormat.text(value, decimals: value < 9.95 && value > 0 ? 1 : 0)
  }

  /// `58 ±21/1000d`, shorter where that does not fit.
  func text(_ unit: String, sign: String, room: Int) -> String {
    let (value, margin) = (Self.number(value), Self.number(margin))
    let candidates = ["\(value) \(sign)\(margin)\(unit)", "\(value)\(sign)\(margin)\(unit)", value + unit]
    return candidates.first { $0.count <= room } ?? value
  }

  /// `58 (37 to 87)`.
  var words: String { "\(Self.number(value)) (\(Self.number(lower)) to \(Self.number(upper)))" }
}
