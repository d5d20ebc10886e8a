import Codecs

/// A program of jq that turns rejected lines into lines that are read, tried on them.
package struct LineFilter: Sendable, Equatable {
  /// Reason that the lines need it.
  package enum Kind: Sendable, Equatable {
    /// The records are in a list inside an object.
    case list
    /// No member is a time; the order of the lines stands for it.
    case order
  }

  package let kind: Kind
  package let program: String
  /// The mapping that the new lines need; `nil` if they are recognized.
  package let mapping: LineMapping?

  /// The program for rejected lines; `nil` if there is none.
  ///
  /// - Parameter areMapped: True if a mapping reads them; a single object with a list is hardly a record even then.
  init?(_ lines: [AdvisedLine], areMapped: Bool) {
    let list = lines.count == 1 || !areMapped ? lines.first.flatMap(Self.list) : nil
    guard let found = list ?? (areMapped ? nil : Self.order(lines.filter(\.isWhole))) else { return nil }
    (kind, program, mapping) = found
  }

  // MARK: Lists

  /// The first list of an object whose elements are read.
  private static func list(in line: AdvisedLine) -> (Kind, String, LineMapping?)? {
    line.excerpt.withUnsafeBytes { bytes in
      var search = ListSearch(text: bytes.withoutByteOrderMark)
      search.object(at: 0, path: "")
      for list in search.lists {
        let elements = list.elements.map { AdvisedLine(excerpt: $0) }
        if elements.contains(where: { $0.isRead(by: nil) }) { return (.list, list.path + "[]", nil) }
        if let mapping = MappingChoice(elements).best() { return (.list, list.path + "[]", mapping) }
      }
      return nil
    }
  }

  // MARK: Order

  /// A second a line from 9 September 2001 on, in a member that the lines do not have; they may be elements of an array.
  private static func order(_ lines: [AdvisedLine]) -> (Kind, String, LineMapping?)? {
    let name = ["time", "ts", "timestamp"].first { name in
      !lines.contains { $0.leaves.contains { $0.path == name } }
    }
    let isRead = lines.contains { line in
      guard let name, line.excerpt.first == UInt8(ascii: "{") else { return false }
      let timed = Array("{\"\(name)\":1000000001,".utf8) + line.excerpt.dropFirst()
      return AdvisedLine(excerpt: timed).isRead(by: nil)
    }
    guard let name, isRead else { return nil }
    return (.order, "(arrays[] // .) | .\(name) = 1000000000 + input_line_number", nil)
  }
}

/// Searches the start of an object for lists of objects.
private struct ListSearch {
  /// Maximum depth of the objects searched.
  private static let depthLimit = 4

  let text: UnsafeRawBufferPointer
  /// The lists found, each with its path for jq and the elements that are whole.
  private(set) var lists: [(path: String, elements: [[UInt8]])] = []

  init(text: UnsafeRawBufferPointer) { self.text = text }

  /// Reads an object; returns its end, or `nil` if it is cut off.
  @discardableResult
  mutating func object(at start: Int, path: String, depth: Int = 0) -> Int? {
    guard depth < Self.depthLimit, var lexer = LineLexer(text), let brace = lexer.skipSpace(start),
      lexer.byte(brace) == UInt8(ascii: "{"), var position = lexer.skipSpace(brace + 1)
    else { return nil }
    while lexer.byte(position) != UInt8(ascii: "}") {
      guard let key = lexer.keyEnd(position) else { return nil }
      let name = String(decoding: text[position + 1..<key.end], as: UTF8.self)
      let isPlain = name.utf8.allSatisfy { $0 | 0x20 &- UInt8(ascii: "a") < 26 || $0 == UInt8(ascii: "_") }
      let inner = path + "." + (isPlain ? name : "\"\(name)\"")
      let end =
        lexer.byte(key.value) == UInt8(ascii: "{")
        ? object(at: key.value, path: inner, depth: depth + 1) : list(at: key.value, path: inner, &lexer)
      guard let end, let next = lexer.skipSpace(end) else { return nil }
      guard lexer.byte(next) == UInt8(ascii: ",") else { return next + 1 }
      guard let name = lexer.skipSpace(next + 1) else { return nil }
      position = name
    }
    return position + 1
  }

  /// Reads a list or another value; returns its end, or `nil` if it is cut off.
  private mutating func list(at start: Int, path: String, _ lexer: inout LineLexer) -> Int? {
    if lexer.byte(start) == UInt8(ascii: "[") {
      let rest = UnsafeRawBufferPointer(rebasing: text[(start + 1)...])
      var (frame, elements) = (LineRecords(rest), [[UInt8]]())
      while elements.count < RejectionLog.firstLimit, let element = frame.next() {
        elements.append(Array(rest[element]))
      }
      if !elements.isEmpty { lists.append((path, elements)) }
    }
    return lexer.valueEnd(start)
  }
}
