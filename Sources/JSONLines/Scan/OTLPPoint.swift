import Codecs

/// The parts of one data point, log record or span, as indexes into the tape.
struct OTLPPoint {
  /// Nanoseconds since 1970, or ISO 8601.
  private(set) var time: Int?
  /// The name of a span.
  private(set) var name: Int?
  private var start: Int?
  private var end: Int?
  private var numbers: [(name: StaticString, place: Int)] = []
  private var texts: [(name: StaticString, place: Int)] = []
  private var attributes: Int?
  private let kind: OTLPKind

  /// Names reserved for the point itself, which attributes may not use.
  private static let taken: [StaticString] = [
    "value", "count", "sum", "min", "max", "mean", "duration_ms", "severity", "body", "status",
  ]

  init(_ kind: OTLPKind, _ point: Int, _ tape: JSONTape, _ line: UnsafeRawBufferPointer) {
    self.kind = kind
    tape.forEachMember(of: point) { key, value in
      if tape.equals(key, "attributes", in: line) {
        attributes = value
      } else {
        switch kind {
        case .log: readLog(key, value, tape, line)
        case .span: readSpan(key, value, tape, line)
        case .gauge, .sum, .histogram, .summary: readNumber(key, value, tape, line)
        }
      }
    }
    if kind == .span { time = end ?? start }
    if kind == .log { time = time ?? start }
  }

  private mutating func readNumber(
    _ key: Int, _ value: Int, _ tape: JSONTape, _ line: UnsafeRawBufferPointer
  ) {
    func `is`(_ word: StaticString) -> Bool { tape.equals(key, word, in: line) }
    if `is`("timeUnixNano") || `is`("time_unix_nano") {
      time = value
    } else if `is`("asDouble") || `is`("asInt") || `is`("value") {
      add("value", value, tape, line)
    } else if `is`("count") {
      add("count", value, tape, line)
    } else if `is`("sum") {
      add("sum", value, tape, line)
    } else if `is`("min") {
      add("min", value, tape, line)
    } else if `is`("max") {
      add("max", value, tape, line)
    }
  }

  private mutating func add(
    _ name: StaticString, _ place: Int, _ tape: JSONTape, _ line: UnsafeRawBufferPointer
  ) {
    if Self.isNumber(place, tape, line) { numbers.append((name, place)) }
  }

  private mutating func readLog(_ key: Int, _ value: Int, _ tape: JSONTape, _ line: UnsafeRawBufferPointer) {
    if tape.equals(key, "timeUnixNano", in: line) || tape.equals(key, "time_unix_nano", in: line) {
      time = value
    }
    if tape.equals(key, "observedTimeUnixNano", in: line) { start = value }
    if tape.equals(key, "severityText", in: line), tape.nodes[value].kind == .text {
      texts.append(("severity", value))
    }
    if tape.equals(key, "body", in: line), let text = Self.scalar(value, tape, line),
      tape.nodes[text].kind == .text
    {
      texts.append(("body", text))
    }
  }

  private mutating func readSpan(_ key: Int, _ value: Int, _ tape: JSONTape, _ line: UnsafeRawBufferPointer) {
    if tape.equals(key, "startTimeUnixNano", in: line) { start = value }
    if tape.equals(key, "endTimeUnixNano", in: line) { end = value }
    if tape.equals(key, "name", in: line), tape.nodes[value].kind == .text { name = value }
    guard tape.equals(key, "status", in: line) else { return }
    tape.forEachMember(of: value) { key, value in
      if tape.equals(key, "code", in: line), tape.nodes[value].kind == .text {
        texts.append(("status", value))
      }
    }
  }

  /// True if a value is a number, quoted or not.
  private static func isNumber(_ place: Int, _ tape: JSONTape, _ line: UnsafeRawBufferPointer) -> Bool {
    let node = tape.nodes[place]
    guard node.kind == .text else { return node.kind == .number }
    return LineLexer.isNumber(tape.bytes(place, in: line))
  }

  // MARK: Attributes

  /// True for a number, and for one in the quotes of `{"intValue":"12"}`.
  private static func isNumeric(_ value: Int, _ tape: JSONTape, _ line: UnsafeRawBufferPointer) -> Bool {
    tape.nodes[value].kind == .number
      || tape.equals(value - 1, "intValue", in: line) && isNumber(value, tape, line)
  }

  /// Calls `body` with each scalar attribute: from the collector's list of pairs or the Python SDK's object.
  static func forEachAttribute(
    of attributes: Int, _ tape: JSONTape, _ line: UnsafeRawBufferPointer,
    _ body: (_ key: Int, _ value: Int) -> Void
  ) {
    if tape.nodes[attributes].kind == .object {
      return tape.forEachMember(of: attributes) { key, value in
        if tape.nodes[value].kind != .object, tape.nodes[value].kind != .array { body(key, value) }
      }
    }
    tape.forEachElement(of: attributes) { pair in
      var (key, found): (Int?, Int?)
      tape.forEachMember(of: pair) { name, value in
        if tape.equals(name, "key", in: line), tape.nodes[value].kind == .text { key = value }
        if tape.equals(name, "value", in: line) { found = scalar(value, tape, line) }
      }
      if let key, let found { body(key, found) }
    }
  }

  /// The value inside `{"stringValue":"a"}` and similar wrappers.
  private static func scalar(_ value: Int, _ tape: JSONTape, _ line: UnsafeRawBufferPointer) -> Int? {
    var found: Int?
    tape.forEachMember(of: value) { name, inner in
      if tape.equals(name, "stringValue", in: line) || tape.equals(name, "intValue", in: line)
        || tape.equals(name, "doubleValue", in: line) || tape.equals(name, "boolValue", in: line)
      {
        switch tape.nodes[inner].kind {
        case .text, .number, .bool: found = inner
        default: found = nil
        }
      }
    }
    return found
  }

  // MARK: Writing

  /// The digits of a point that is just a number; with any attribute the point becomes a struct.
  func plainNumber(_ tape: JSONTape, _ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard numbers.count == 1, Self.equal(numbers[0].name, "value"), texts.isEmpty else { return nil }
    var hasAttributes = false
    if let attributes { Self.forEachAttribute(of: attributes, tape, line) { _, _ in hasAttributes = true } }
    return hasAttributes ? nil : tape.bytes(numbers[0].place, in: line)
  }

  /// Appends the struct: the numbers, derived values, then the attributes: those that identify a point as strings.
  func write(_ tape: JSONTape, _ line: UnsafeRawBufferPointer, to payload: inout [UInt8]) {
    var object = ObjectWriter(&payload)
    for number in numbers { object.add(number.name, tape.bytes(number.place, in: line), to: &payload) }
    if let derived = derived(tape, line) {
      object.key(derived.name, to: &payload)
      Decimals.append(derived.value, to: &payload)
    }
    for text in texts { object.add(text.name, quoted: tape.bytes(text.place, in: line), to: &payload) }
    if let attributes {
      Self.forEachAttribute(of: attributes, tape, line) { key, value in
        let isTaken = Self.taken.contains { tape.equals(key, $0, in: line) }
        object.key(tape.bytes(key, in: line), prefix: isTaken ? "attributes." : "", to: &payload)
        let bytes = tape.bytes(value, in: line)
        switch tape.nodes[value].kind {
        case .bool, .null: payload.append(contentsOf: bytes)
        case _ where kind == .log && Self.isNumeric(value, tape, line): payload.append(contentsOf: bytes)
        default: object.quote(bytes, to: &payload)
        }
      }
    }
    object.close(&payload)
  }

  /// The mean of a histogram, or the duration of a span in milliseconds.
  private func derived(
    _ tape: JSONTape, _ line: UnsafeRawBufferPointer
  ) -> (name: StaticString, value: Double)? {
    func number(_ name: StaticString) -> Double? {
      numbers.first { Self.equal($0.name, name) }.flatMap {
        PlainNumber.double(tape.bytes($0.place, in: line))
      }
    }
    if let count = number("count"), let sum = number("sum"), count > 0, (sum / count).isFinite {
      return ("mean", sum / count)
    }
    func nanoseconds(_ place: Int?) -> Int? {
      place.flatMap { Decimals.wholeNumber(tape.bytes($0, in: line)) }
    }
    guard let end, let first = nanoseconds(start), let last = nanoseconds(end) else { return nil }
    let (length, overflow) = last.subtractingReportingOverflow(first)
    return overflow ? nil : ("duration_ms", Double(length) / 1e6)
  }

  private static func equal(_ one: StaticString, _ other: StaticString) -> Bool {
    one.utf8CodeUnitCount == other.utf8CodeUnitCount
      && UnsafeRawBufferPointer(start: one.utf8Start, count: one.utf8CodeUnitCount)
        .elementsEqual(UnsafeRawBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
  }
}
