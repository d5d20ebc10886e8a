extension ValueUnit {
  /// A value in so many columns at most, with fewer digits where the usual ones have no room; never a part of a figure.
  package func text(_ value: Double, width: Int) -> String {
    ValueUnit.shortened(text(value), of: value, width: width)
  }

  /// The same of a value without its unit, as `bare` writes it.
  package func bare(_ value: Double, width: Int) -> String {
    ValueUnit.shortened(bare(value), of: value, width: width)
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
