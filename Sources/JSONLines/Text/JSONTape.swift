import Codecs

/// The values of a JSON line in document order, each with the index of the one that follows it.
///
/// A line with deeply nested objects is parsed once this way, and then walked as often as necessary.
struct JSONTape: Sendable {
  struct Node: Sendable {
    enum Kind: UInt8, Sendable { case key, text, number, bool, null, object, array }

    /// Position in the line; strings and keys exclude their quotes.
    var start: Int32
    var end: Int32
    /// Index of the first node after this value and its contents.
    var next: Int32
    let kind: Kind
    let hasEscapes: Bool
  }

  private(set) var nodes: [Node] = []
  private var open: [Int] = []

  /// Reads a line; `false` if it is not valid JSON.
  mutating func read(_ line: UnsafeRawBufferPointer) -> Bool {
    nodes.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    guard var lexer = LineLexer(line), let start = lexer.skipSpace(0) else { return false }
    var position = start
    while true {
      guard var end = value(&lexer, position) else { return false }
      // The end of a value also ends every container of which it is the last element.
      while true {
        guard let top = open.last else { return lexer.skipSpace(end) == nil && lexer.isUTF8 }
        guard let sign = lexer.skipSpace(end) else { return false }
        let isObject = nodes[top].kind == .object
        if lexer.byte(sign) == UInt8(ascii: ","), !isEmpty(top) {
          guard let next = lexer.skipSpace(sign &+ 1) else { return false }
          position = next
          break
        }
        if lexer.byte(sign) == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          end = sign &+ 1
          close(top, end)
          continue
        }
        // The first value of a container that was just opened.
        guard isEmpty(top) else { return false }
        position = sign
        break
      }
      if let top = open.last, nodes[top].kind == .object {
        guard let value = key(&lexer, position) else { return false }
        position = value
      }
    }
  }

  private func isEmpty(_ top: Int) -> Bool { top == nodes.count &- 1 }

  private mutating func close(_ top: Int, _ end: Int) {
    nodes[top].end = Int32(truncatingIfNeeded: end)
    nodes[top].next = Int32(truncatingIfNeeded: nodes.count)
    open.removeLast()
  }

  /// Reads a scalar value, or just the opening of an object or an array.
  @inline(__always)
  private mutating func value(_ lexer: inout LineLexer, _ start: Int) -> Int? {
    switch lexer.byte(start) {
    case UInt8(ascii: "\""):
      guard let text = lexer.text(start &+ 1) else { return nil }
      append(.text, start &+ 1, text.end, text.hasEscapes)
      return text.end &+ 1
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < JSONTokenizer.nestingLimit else { return nil }
      open.append(nodes.count)
      append(lexer.byte(start) == UInt8(ascii: "{") ? .object : .array, start, start)
      return start &+ 1
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard let end = lexer.numberEnd(start) else { return nil }
      append(.number, start, end)
      return end
    case let first:
      guard let end = lexer.wordEnd(start) else { return nil }
      append(first == UInt8(ascii: "n") ? .null : .bool, start, end)
      return end
    }
  }

  /// Reads a key and its colon; returns the position of the value.
  @inline(__always)
  private mutating func key(_ lexer: inout LineLexer, _ start: Int) -> Int? {
    guard let key = lexer.keyEnd(start) else { return nil }
    append(.key, start &+ 1, key.end, key.hasEscapes)
    return key.value
  }

  @inline(__always)
  private mutating func append(_ kind: Node.Kind, _ start: Int, _ end: Int, _ hasEscapes: Bool = false) {
    nodes.append(
      Node(
        start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: end),
        next: Int32(truncatingIfNeeded: nodes.count &+ 1), kind: kind, hasEscapes: hasEscapes))
  }

  // MARK: Walking

  /// Calls `body` with the indexes of each member's key and value; an array has no members.
  @inline(__always)
  func forEachMember(of object: Int, _ body: (_ key: Int, _ value: Int) -> Void) {
    guard nodes[object].kind == .object else { return }
    var place = object &+ 1
    let end = Int(nodes[object].next)
    while place &+ 1 < end {
      body(place, place &+ 1)
      place = Int(nodes[place &+ 1].next)
    }
  }

  /// Calls `body` with the index of each element.
  @inline(__always)
  func forEachElement(of array: Int, _ body: (_ element: Int) -> Void) {
    guard nodes[array].kind == .array else { return }
    var place = array &+ 1
    let end = Int(nodes[array].next)
    while place < end {
      body(place)
      place = Int(nodes[place].next)
    }
  }

  /// The bytes of a value; a string without its quotes.
  @inline(__always)
  func bytes(_ place: Int, in line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: line[Int(nodes[place].start)..<Int(nodes[place].end)])
  }

  /// True if a key or a string equals a word.
  @inline(__always)
  func equals(_ place: Int, _ word: StaticString, in line: UnsafeRawBufferPointer) -> Bool {
    let node = nodes[place]
    guard Int(node.end &- node.start) == word.utf8CodeUnitCount else { return false }
    let start = Int(node.start)
    for index in 0..<word.utf8CodeUnitCount where line[start &+ index] != word.utf8Start[index] {
      return false
    }
    return true
  }
}
