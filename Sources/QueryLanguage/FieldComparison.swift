import Codecs

/// A comparison of a struct's field with a value: `route = /feed`, `status >= 500`, `ver = 2.*`.
package struct FieldComparison: Sendable, Hashable {
  /// The name of the field, `outer.inner` for inner structs.
  package let field: String
  let comparison: QueryOperator
  let literal: FieldLiteral
  /// True if the result is inverted.
  private var isNegated = false
  private let unit: ValueUnit

  init(_ field: String, _ comparison: QueryOperator, _ literal: FieldLiteral) {
    self.field = field
    self.comparison = comparison
    self.literal = literal
    unit = ValueUnit(name: field)
  }

  /// True if the comparison holds for the value of the field; `nil` for a sample without the field.
  ///
  /// A missing field counts as `null`: it equals nothing else, and has no order.
  package func matches(_ value: QueryValue?) -> Bool {
    let holds =
      switch comparison {
      case .equal: literal.equals(value ?? .null, unit: unit)
      case .notEqual: !literal.equals(value ?? .null, unit: unit)
      case .greater, .greaterOrEqual, .less, .lessOrEqual: isOrdered(value ?? .null)
      }
    return holds != isNegated
  }

  private func isOrdered(_ value: QueryValue) -> Bool {
    guard case .number(let number) = value, let limit = literal.number(in: unit) else {
      return false
    }
    return comparison.holds(number, limit)
  }

  /// The comparison with the opposite result.
  var negated: FieldComparison {
    var result = self
    result.isNegated.toggle()
    return result
  }
}

/// The literal a field is compared with.
enum FieldLiteral: Sendable, Hashable {
  /// A quoted text.
  case text(String)
  /// An unquoted word: a number, `true`, `false`, `null`, or a text.
  case word(FieldWord)
  /// A word with `*` or `?`.
  case pattern(NamePattern)

  /// True if a value equals this one.
  ///
  /// Case is ignored; a number equals a text that spells it.
  func equals(_ value: QueryValue, unit: ValueUnit) -> Bool {
    switch (self, value) {
    case (.text(let text), .text(let other)): CaseFolding.areEqual(text, other)
    case (.word(let word), .text(let other)): CaseFolding.areEqual(word.text, other)
    case (.text, _): false
    case (.word, .number(let number)): self.number(in: unit) == number
    case (.word(let word), .bool(let value)): CaseFolding.areEqual(word.text, String(value))
    case (.word(let word), .null): CaseFolding.areEqual(word.text, "null")
    case (.pattern, .null): false
    case (.pattern(let pattern), .text(let text)): pattern.matches(text)
    case (.pattern(let pattern), .bool(let value)): pattern.matches(String(value))
    case (.pattern(let pattern), .number(let number)): pattern.matches(Self.spelling(of: number))
    }
  }

  /// The number in a unit; `nil` if it is not a number.
  func number(in unit: ValueUnit) -> Double? {
    guard case .word(let word) = self else { return nil }
    return word.quantity?.value(in: unit)
  }

  /// The shortest decimal that reads back as the same number; whole numbers have no point.
  private static func spelling(of number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// A word that a field is compared with.
struct FieldWord: Sendable, Hashable {
  /// The word as typed.
  let text: String
  /// The number that the word spells, if any.
  let quantity: Quantity?

  init(_ text: String) {
    self.text = text
    quantity = try? Quantity(text)
  }
}
