import Codecs

/// The limit of a condition as written: a number, its unit, and the place where it stands.
struct ConditionLimit: Sendable, Hashable {
  let number: Double
  /// Empty for the unit of the figure.
  let unit: String
  /// The character at which it begins, from 1.
  let place: Int

  /// `nil` unless the text is a number, perhaps with a unit.
  init?(_ text: String, place: Int) {
    guard
      let match = text.wholeMatch(of: /([-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))([a-zA-Zµ%]*(?:\/[a-z0-9]+)?)/),
      let number = Double(String(match.1)), number.isFinite
    else { return nil }
    (self.number, unit, self.place) = (number, String(match.2), place)
  }

  // MARK: Rates of diagnostics

  private static let rates: [(unit: String, factor: Double, isHourly: Bool)] = [
    ("", 1, false), ("/1000d", 1, false), ("/1000h", 1, true), ("/d", 1000, false), ("/h", 1000, true),
  ]

  /// As a rate per 1,000 device-days or foreground hours; `nil` for another unit.
  var ofRate: (value: Double, isHourly: Bool)? {
    Self.rates.first { $0.unit == unit.lowercased() }.map { (number * $0.factor, $0.isHourly) }
  }

  // MARK: Figures

  private static let times: [String: Double] = [
    "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600,
    "d": 86_400,
  ]
  private static let sizes: [String: Double] = [
    "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 0x1p10, "mib": 0x1p20, "gib": 0x1p30,
    "tib": 0x1p40,
  ]
  private static let multiples: [String: Double] = ["k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12]

  /// The limit of a figure in seconds, bytes or plain; `nil` if the unit is of another kind.
  func base(in figure: OverviewUnit) -> Double? {
    let parts = unit.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let (word, rate) = (String(parts.first ?? ""), parts.count > 1 ? "/" + parts[1] : "")
    guard rate.isEmpty || rate == figure.rate else { return nil }
    let factor: Double? =
      switch figure.dimension {
      case .time: word.isEmpty ? figure.bareFactor : Self.times[word]
      case .bytes: word.isEmpty ? figure.bareFactor : Self.sizes[word.lowercased()]
      case .plain: word.isEmpty || word == figure.word ? 1 : Self.multiples[word]
      }
    let value = factor.map { number * $0 }
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  /// The units that fit a figure, for a message.
  static func units(of figure: OverviewUnit) -> String {
    let words: String =
      switch figure.dimension {
      case .time: "ms, s, min or h"
      case .bytes: "B, kB, MB, GB, KiB, MiB or GiB"
      case .plain: figure.word.isEmpty ? "none, or k, M or G" : "none, or " + figure.word
      }
    return words + (figure.rate.isEmpty ? "" : ", with or without " + figure.rate)
  }
}
