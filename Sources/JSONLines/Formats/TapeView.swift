import Codecs

/// Members of a parsed line, by name and by path.
struct TapeView {
  let tape: JSONTape
  let line: UnsafeRawBufferPointer

  func kind(_ place: Int) -> JSONTape.Node.Kind { tape.nodes[place].kind }

  /// The index of a member's value; of a repeated name, the last one counts.
  func member(_ name: StaticString, of object: Int = 0) -> Int? {
    var found: Int?
    tape.forEachMember(of: object) { key, value in if tape.equals(key, name, in: line) { found = value } }
    return found
  }

  /// The index of a member inside an inner object.
  func member(_ outer: StaticString, _ inner: StaticString, of object: Int = 0) -> Int? {
    member(outer, of: object).flatMap { member(inner, of: $0) }
  }

  /// The bytes of a string between its quotes; `nil` for another kind of value and for an empty string.
  func text(_ place: Int?) -> UnsafeRawBufferPointer? {
    guard let place, kind(place) == .text, tape.nodes[place].end > tape.nodes[place].start else { return nil }
    return tape.bytes(place, in: line)
  }

  func number(_ place: Int?) -> Double? {
    guard let place, kind(place) == .number, let number = PlainNumber.double(tape.bytes(place, in: line)),
      number.isFinite
    else { return nil }
    return number
  }

  /// The value of a whole number, quoted or not.
  func whole(_ place: Int?) -> Int? {
    guard let place, kind(place) == .number || kind(place) == .text else { return nil }
    return Decimals.wholeNumber(tape.bytes(place, in: line))
  }

  /// The indexes of an array's elements.
  func elements(_ array: Int?) -> [Int] {
    guard let array else { return [] }
    var found: [Int] = []
    tape.forEachElement(of: array) { found.append($0) }
    return found
  }

  /// The value as JSON.
  func json(_ place: Int) -> UnsafeRawBufferPointer {
    let node = tape.nodes[place]
    let quotes = node.kind == .text ? 1 : 0
    return UnsafeRawBufferPointer(rebasing: line[Int(node.start) - quotes..<Int(node.end) + quotes])
  }
}

extension ObjectWriter {
  /// Adds a member with its value as written.
  mutating func add(_ name: StaticString, _ place: Int?, of view: TapeView, to json: inout [UInt8]) {
    guard let place, view.kind(place) != .null else { return }
    add(name, view.json(place), to: &json)
  }

  mutating func add(_ name: StaticString, _ number: Double, to json: inout [UInt8]) {
    guard number.isFinite else { return }
    key(name, to: &json)
    Decimals.append(number, to: &json)
  }

  mutating func add(_ name: StaticString, text: StaticString, to json: inout [UInt8]) {
    add(
      name, quoted: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), to: &json)
  }

  /// Adds the members of an object as they are, with those scalars that are tags as strings.
  ///
  /// - Parameters:
  ///   - taken: Names that the sample's own members use; a tag with such a name gets a prefix.
  ///   - onlyTexts: True to leave numbers and bools out.
  mutating func addTags(
    of object: Int?, _ view: TapeView, prefix: StaticString, taken: (Int) -> Bool, onlyTexts: Bool = false,
    to json: inout [UInt8]
  ) {
    guard let object else { return }
    view.tape.forEachMember(of: object) { name, value in
      switch view.kind(value) {
      case .null, .array, .object, .key: return
      case .number, .bool: if onlyTexts { return }
      case .text: break
      }
      key(view.tape.bytes(name, in: view.line), prefix: taken(name) ? prefix : "", to: &json)
      quote(view.tape.bytes(value, in: view.line), to: &json)
    }
  }
}
