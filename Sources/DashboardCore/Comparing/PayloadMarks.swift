/// Caveats about payloads that a person must know before trusting a figure of them.
package struct PayloadMarks: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// A simulation made them up.
  package static let simulated = PayloadMarks(rawValue: 1)
  /// They tell of other versions too.
  package static let mixed = PayloadMarks(rawValue: 2)
  /// Their numbers or times were written in the words or digits of a language.
  package static let localized = PayloadMarks(rawValue: 4)

  private static let words: [(mark: PayloadMarks, word: String)] = [
    (.simulated, "simulated"), (.mixed, "mixed versions"), (.localized, "localized"),
  ]

  /// Each mark in a word or two, in a fixed order.
  package var words: [String] { Self.words.filter { contains($0.mark) }.map(\.word) }
}
