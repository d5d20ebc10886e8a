/// A number with its noun: `1 line`, `2 lines`.
enum Plural {
  /// - Parameters:
  ///   - one: The singular of the noun.
  ///   - many: The plural, if it is not formed with `s` or, after `h`, with `es`.
  static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    number == 1 ? "1 \(one)" : "\(number) \(many ?? (one.hasSuffix("h") ? one + "es" : one + "s"))"
  }
}
