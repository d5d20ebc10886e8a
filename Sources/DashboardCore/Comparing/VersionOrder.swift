/// A version as it is ordered: `2.9` before `2.10`, `2.4-beta` before `2.4` before `2.4.1`.
///
/// Numbers in it are compared as numbers, however long they are. A word goes before nothing and a number after it, so
/// that what precedes a release comes before it; builds of a version, `2.4 (7)`, lie between it and the next. No text at
/// all goes before every other, and two are as large only if they are the same.
package struct VersionOrder: Hashable, Sendable, Comparable {
  /// A part of a version, apart from the separators.
  private enum Part: Hashable, Sendable {
    case word(String)
    /// The text after a plus or a parenthesis.
    case build(String)
    /// Digits without leading zeros.
    case number(String)

    /// Where it stands: words, then the end of a version, then builds, then numbers.
    var rank: Int {
      switch self {
      case .word: -1
      case .build: 1
      case .number: 2
      }
    }
  }

  /// Maximum number of parts that count; beyond them the texts themselves are compared.
  private static let limit = 32

  /// The version as it was given.
  let text: String
  private let parts: [Part]

  package init(_ text: String) {
    self.text = text
    parts = Self.parts(text)
  }

  package static func < (left: VersionOrder, right: VersionOrder) -> Bool {
    if left.text.isEmpty != right.text.isEmpty { return left.text.isEmpty }
    for place in 0..<max(left.parts.count, right.parts.count) {
      let first = left.parts.indices.contains(place) ? left.parts[place] : nil
      let second = right.parts.indices.contains(place) ? right.parts[place] : nil
      if first != second { return isOrdered(first, second) }
    }
    return left.text < right.text
  }

  /// Texts from the newest version to the oldest.
  package static func newestFirst(_ versions: some Sequence<String>) -> [String] {
    versions.map(VersionOrder.init).sorted(by: >).map(\.text)
  }

  /// True if a version is newer than another.
  package static func isNewer(_ version: String, than other: String) -> Bool {
    VersionOrder(version) > VersionOrder(other)
  }

  private static func isOrdered(_ first: Part?, _ second: Part?) -> Bool {
    switch (first, second) {
    case (.word(let first), .word(let second)): first < second
    case (.number(let first), .number(let second)), (.build(let first), .build(let second)):
      (first.utf8.count, first) < (second.utf8.count, second)
    default: (first?.rank ?? 0) < (second?.rank ?? 0)
    }
  }

  private static func parts(_ text: String) -> [Part] {
    var parts: [Part] = []
    var run: [UInt8] = []
    var (isNumber, isBuild) = (false, false)
    let end = {
      guard !run.isEmpty, parts.count < limit else { return }
      let content = String(
        decoding: isNumber ? run.drop { $0 == UInt8(ascii: "0") } : run[...], as: UTF8.self)
      parts.append(
        isBuild ? .build(content) : isNumber ? .number(content) : .word(content.lowercased()))
      (run, isBuild) = ([], false)
    }
    for byte in text.utf8 where parts.count < limit {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      let isLetter = byte >= 0x80 || UnicodeScalar(byte).properties.isAlphabetic
      if !isDigit && !isLetter || isDigit != isNumber { end() }
      isNumber = isDigit
      if isDigit || isLetter { run.append(byte) } else { isBuild = "(+".utf8.contains(byte) }
    }
    end()
    // `v2.4` is `2.4`.
    if parts.count > 1, parts[0] == .word("v") { parts.removeFirst() }
    return parts
  }
}
