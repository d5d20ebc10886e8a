extension ValueUnit {
  /// A value in at most `width` columns, with fewer digits if necessary; a number is never cut off.
  package func text(_ value: Double, width: Int) -> String {
    if let short = shortDuration(value, width: width) ?? shortMoment(value, width: width) { return short }
    let text = text(value)
    // Better the number without `/s` or `Hz` than with a part of it.
    let isBare = dimension == .frequency && text.count > width
    return ValueUnit.shortened(isBare ? ValueUnit.plain.text(value) : text, of: value, width: width)
  }

  /// A value and its unit separately, for the columns of a table: `2.17` and `s`, `53.0` and `MB`, `14.2k` and nothing.
  ///
  /// - Parameter width: The maximum width of the number in columns.
  package func parts(_ value: Double, width: Int) -> (number: String, unit: String) {
    let sign = dimension == .bytes ? "B" : ""
    let text = text(value, width: width + (sign.isEmpty ? symbol.count : 1))
    guard dimension != .plain, dimension != .moment,
      let last = text.lastIndex(where: \.isNumber).map(text.index(after:))
    else { return (text, sign) }
    // The prefix of a rate, such as `k`, belongs to its number.
    let end =
      dimension == .frequency ? text[last...].firstIndex { $0 == "/" || $0 == "H" } ?? text.endIndex : last
    return (String(text[..<end]), text[end...] + sign)
  }

  /// A duration in fractions of a second if three digits and `ms` do not fit: `.86s`.
  private func shortDuration(_ value: Double, width: Int) -> String? {
    let seconds = value * scale.factor / scale.divisor
    guard dimension == .time, (0.095..<1).contains(seconds), text(value).count > width else { return nil }
    for decimals in [2, 1] {
      let text = NumberFormat.text(seconds, decimals: decimals) + "s"
      for text in [text, String(text.drop { $0 == "0" })] where text.count <= width { return text }
    }
    return nil
  }

  /// A time as its date, or as month and day: `2026-11-21`, `11-21`.
  private func shortMoment(_ value: Double, width: Int) -> String? {
    guard width < 16, let moment = timestamp(of: value) else { return nil }
    guard width >= 5 else { return ValueUnit.plain.text(value, width: width) }
    let date = ClockZone.local.date(moment)
    return width < 10 ? String(date.suffix(5)) : date
  }

  /// The same for a value without its unit, as written by `bare`.
  package func bare(_ value: Double, width: Int) -> String {
    shortMoment(value, width: width) ?? ValueUnit.shortened(bare(value), of: value, width: width)
  }

  /// Fewer decimals, then the power of ten alone, then `~0` or `huge`.
  private static func shortened(_ text: String, of value: Double, width: Int) -> String {
    guard text.count > width else { return text }
    let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "-" }
    let rest = text.dropFirst(digits.count)
    if let number = Double(digits) {
      let decimals = digits.split(separator: ".").dropFirst().first?.count ?? 0
      for fewer in stride(from: decimals - 1, through: 0, by: -1) {
        let shorter = NumberFormat.text(number, decimals: fewer) + rest
        if shorter.count <= width { return shorter }
      }
    }
    let sign = value < 0 ? "-" : ""
    if rest.hasPrefix("e"), sign.count + rest.count <= width { return sign + rest }
    return value.magnitude < 1 ? "~0" : sign + "huge"
  }
}
