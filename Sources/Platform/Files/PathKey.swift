/// A path or the name of a file as a key, compared by its bytes as the system does it.
///
/// Two spellings of a letter, such as `é` in one code point or in two, are equal strings and two files.
package struct PathKey: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  package let text: String

  package init(_ text: String) { self.text = text }
  package init(stringLiteral text: String) { self.init(text) }

  package static func == (left: PathKey, right: PathKey) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package static func < (left: PathKey, right: PathKey) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

/// Beginnings and ends of file names by bytes: a combining mark after a dot makes another `Character` of it, but it is a dot.
extension String {
  package func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  package func hasByteSuffix(_ suffix: String) -> Bool {
    utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// The text in front of a suffix; `nil` if it ends otherwise.
  package func droppingByteSuffix(_ suffix: String) -> String? {
    hasByteSuffix(suffix) ? String(Substring(utf8.dropLast(suffix.utf8.count))) : nil
  }
}

extension Sequence<String> {
  /// File names in the order of their bytes, independent of the order in which the folder lists them.
  package func sortedByBytes() -> [String] {
    sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
