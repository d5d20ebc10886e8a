/// A number with the word for its unit, in any language and grouping.
///
/// Systems before iOS 16 wrote both in the device's regional format: `1,106,818千字节`, `79 041 кБ`, `1.530 ms`. Nearly
/// all numbers are integers, so a separator before exactly three digits is taken as grouping.
///
/// | text | as a whole number | with a point for fractions |
/// |---|---|---|
/// | `200,000 kB`, `12,34,567 kB`, `١٬٢٣٤` | 200000, 1234567, 1234 | the same |
/// | `1.106 kB` | 1106 | 1.106 |
/// | `3.2 sec`, `3,25 s` | 3.2, 3.25 | the same |
/// | `1.234,5 kB` | 1234.5 | the same |
/// | `1.5E3 kB` | 1500 | the same |
struct LocalizedQuantity {
  /// The meaning of a point before three digits.
  enum Style {
    /// A grouping separator.
    case whole
    /// A decimal point: the text is newer than the regional formats.
    case fraction
  }

  /// The number; always finite.
  let value: Double
  /// The rest of the text, normalized for lookup; empty if there is none.
  let unit: String

  /// The quantity in a text; `nil` without a readable number.
  init?(_ text: String, style: Style = .whole) {
    let text = NormalizedText(text)
    guard let number = Self.number(in: text.scalars) else { return nil }
    let before = number.lowerBound > 0 ? text.scalars[number.lowerBound - 1] : nil
    let hasSign = before == "-" || before == "+"
    let isHexadecimal = text.part(number.upperBound..<text.scalars.count).unit.hasPrefix("x")
    guard before != ".", before != ",", !isHexadecimal,
      let digits = Self.value(of: text.scalars[number], style: style)
    else { return nil }
    let (end, exponent) = Self.exponent(in: text.scalars, after: number.upperBound)
    let value = digits * exponent
    guard value.isFinite else { return nil }
    self.value = before == "-" ? -value : value
    let head = text.part(0..<(hasSign ? number.lowerBound - 1 : number.lowerBound)).unit
    let tail = text.part(end..<text.scalars.count).unit
    unit = head.isEmpty ? tail : tail.isEmpty ? head : head + " " + tail
  }

  /// From the first digit to the last one, with only single separators in between.
  private static func number(in scalars: [Unicode.Scalar]) -> Range<Int>? {
    guard let start = scalars.firstIndex(where: \.isDigit) else { return nil }
    var end = start + 1
    while end < scalars.count {
      if scalars[end].isDigit {
        end += 1
      } else if scalars[end].isSeparator, end + 1 < scalars.count, scalars[end + 1].isDigit {
        end += 2
      } else {
        break
      }
    }
    return start..<end
  }

  /// The power of ten of an exponent, such as `E3`, and its end; 1 without one.
  private static func exponent(in scalars: [Unicode.Scalar], after start: Int) -> (end: Int, factor: Double) {
    guard start < scalars.count, scalars[start] == "e" || scalars[start] == "E" else { return (start, 1) }
    var digits = start + 1
    if digits < scalars.count, scalars[digits] == "-" || scalars[digits] == "+" { digits += 1 }
    let end = scalars[digits...].firstIndex { !$0.isDigit } ?? scalars.count
    var text = String.UnicodeScalarView()
    text.append("1")
    text.append(contentsOf: scalars[start..<end])
    guard end > digits, end - digits <= 3, let factor = Double(String(text)) else { return (start, 1) }
    return (end, factor)
  }

  private static func value(of number: some Sequence<Unicode.Scalar>, style: Style) -> Double? {
    var digits = String.UnicodeScalarView()
    for scalar in number where !scalar.isSilentSeparator {
      digits.append(scalar == "\u{66B}" ? "D" : scalar)
    }
    guard let plain = decimal(String(digits), style: style) else { return nil }
    return Double(plain).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The digits with at most one point.
  private static func decimal(_ text: String, style: Style) -> String? {
    if text.contains("D") {
      let parts = text.split(separator: "D", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[1].contains(where: \.isPointOrComma) else { return nil }
      return whole(String(parts[0])).map { $0 + "." + parts[1] }
    }
    guard let last = text.lastIndex(where: \.isPointOrComma) else { return text }
    let separator = text[last]
    let isAlone = text.firstIndex(of: separator) == last
    let startsFraction = style == .fraction && separator == "."
    let hasOther = text.contains { $0.isPointOrComma && $0 != separator }
    // With two kinds of separators, the one that occurs once and last starts the fraction.
    if !startsFraction, !hasOther, let grouped = whole(text) { return grouped }
    guard isAlone, let head = whole(String(text[..<last])) else { return nil }
    return head + "." + text[text.index(after: last)...]
  }

  /// The digits of a correctly grouped integer: groups of three digits, or Indian groups of two.
  private static func whole(_ text: String) -> String? {
    let groups = text.split(whereSeparator: \.isPointOrComma)
    guard groups.count > 1 else { return text.contains(where: \.isPointOrComma) ? nil : text }
    let middle = groups.dropFirst().dropLast()
    let isGrouping =
      Set(text.filter(\.isPointOrComma)).count == 1
      && (1...3).contains(groups[0].count) && groups[0] != "0" && groups.last?.count == 3
      && (middle.allSatisfy { $0.count == 3 } || (groups[0].count < 3 && middle.allSatisfy { $0.count == 2 }))
    return isGrouping ? groups.joined() : nil
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

  /// True for characters that can only group digits.
  fileprivate var isSilentSeparator: Bool {
    switch self {
    case " ", "\u{A0}", "\u{202F}", "\u{2009}", "'", "\u{2019}", "\u{66C}": true
    default: false
    }
  }

  fileprivate var isSeparator: Bool {
    isSilentSeparator || self == "." || self == "," || self == "\u{66B}"
  }
}

extension Character {
  fileprivate var isPointOrComma: Bool { self == "." || self == "," }
}
