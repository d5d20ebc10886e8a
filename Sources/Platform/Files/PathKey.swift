/// A path or a file name as a key, compared by bytes as the system does.
///
/// Two spellings of a letter, such as `é` in one code point or in two, are equal strings but two files.
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

/// Compares the starts and ends of file names by bytes: a dot with a combining mark is a different `Character`, but
/// still a dot.
extension String {
  package func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  package func hasByteSuffix(_ suffix: String) -> Bool {
    utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// The text before a suffix; `nil` if the text has another ending.
  package func droppingByteSuffix(_ suffix: String) -> String? {
    hasByteSuffix(suffix) ? String(Substring(utf8.dropLast(suffix.utf8.count))) : nil
  }
}

extension Sequence<String> {
  /// File names sorted by bytes, whatever order the folder lists them in.
  package func sortedByBytes() -> [String] {
    sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
