import Codecs
import QueryLanguage

/// The limit of a condition as written: an amount in the grammar of queries, and the place where it stands.
struct ConditionLimit: Sendable, Hashable {
  private let quantity: Quantity
  /// The word after a number that is no unit of queries; empty for those that are.
  private let word: String
  /// The part from the slash on, such as `/d`; empty without one.
  private let rate: String
  /// The unit as written; empty for that of the figure.
  let unit: String
  /// The character at which it begins, from 1.
  let place: Int

  /// `nil` unless the text is a number, perhaps with a unit.
  init?(_ text: String, place: Int) {
    let amount = text.prefix { $0 != "/" }
    rate = String(text[amount.endIndex...])
    unit = String(text.drop { "+-.0123456789".contains($0) })
    self.place = place
    do throws(Quantity.Fault) {
      (quantity, word) = (try Quantity(String(amount)), "")
    } catch .unknownUnit(let name, _) {
      guard let number = try? Quantity(String(amount.dropLast(name.count))) else { return nil }
      (quantity, word) = (number, name)
    } catch {
      return nil
    }
  }

  // MARK: Rates of diagnostics

  private static let rates: [(unit: String, factor: Double, isHourly: Bool)] = [
    ("", 1, false), ("/1000d", 1, false), ("/1000h", 1, true), ("/d", 1000, false), ("/h", 1000, true),
  ]

  /// As a rate per 1,000 device-days or foreground hours; `nil` for another unit.
  var ofRate: (value: Double, isHourly: Bool)? {
    guard word.isEmpty, quantity.dimension == .plain, let number = quantity.value(in: .plain) else {
      return nil
    }
    return Self.rates.first { $0.unit == rate.lowercased() }.map { (number * $0.factor, $0.isHourly) }
  }

  // MARK: Figures

  /// The limit of a figure in seconds, bytes or plain; `nil` if the unit is of another kind.
  func base(in figure: OverviewUnit) -> Double? {
    guard rate.isEmpty || rate == figure.rate, word.isEmpty || word == figure.word else { return nil }
    let unit: ValueUnit =
      switch figure.dimension {
      case .time: .seconds
      case .bytes: .bytes
      case .plain: figure.word == "%" ? .percent : .plain
      }
    let isBare = self.unit == rate
    guard isBare || figure.dimension == .plain || quantity.dimension != .plain else { return nil }
    return quantity.value(in: unit).map { isBare ? $0 * figure.bareFactor : $0 }
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
