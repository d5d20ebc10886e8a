import Codecs
package import Essentials

/// The age up to which samples are kept, as given to `--keep`: `30d`, `2w`, `12h`.
package struct Retention: Equatable, Sendable {
  private enum Unit: Character {
    case hours = "h"
    case days = "d"
    case weeks = "w"
  }

  private let count: Int
  private let unit: Unit

  /// Parses a number with its unit; `nil` if the text is not one.
  package init?(_ text: String) {
    guard let last = text.last, let unit = Unit(rawValue: last) else { return nil }
    let digits = text.dropLast()
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(digits), count <= 1_000_000 else {
      return nil
    }
    self.count = count
    self.unit = unit
  }

  /// The oldest time to keep.
  ///
  /// Hours are exact; days and weeks count from the start of the local day.
  ///
  /// - Parameter now: The time from which ages are counted back.
  package func cutoff(before now: Date) -> Date {
    switch unit {
    case .hours: return now.addingTimeInterval(-3_600 * Double(count))
    case .days: return now.startOfLocalDay(before: count)
    case .weeks: return now.startOfLocalDay(before: count * 7)
    }
  }
}
