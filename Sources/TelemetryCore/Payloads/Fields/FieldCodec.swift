import Codecs

/// Reads a value of a payload from JSON and writes it as JSON.
struct FieldCodec<Value>: Sendable {
  /// Reads the value; returns `nil` and adds a note if it is not understood.
  let read: @Sendable (JSONValue, inout ReadingContext) -> Value?
  /// The JSON; `nil` if the value cannot be written.
  let write: @Sendable (Value) -> JSONValue?
  /// The value's part in the payload's hash; `nil` if the value cannot be written, and equal for values with equal JSON.
  let digest: @Sendable (Value) -> ContentDigest?
  /// Adds the figures in the value, under its name; most fields have none.
  private(set) var addFigures: @Sendable (Value, String, inout FigureList) -> Void = { _, _, _ in }
  /// The units of those figures, each with what follows the name of the field; evaluated late, as sections nest.
  private(set) var figureUnits: @Sendable () -> [(end: String, unit: String)] = { [] }

  /// The same for a field that is a figure or has some.
  func figures(
    _ units: @escaping @Sendable () -> [(end: String, unit: String)],
    _ add: @escaping @Sendable (Value, String, inout FigureList) -> Void
  ) -> Self {
    var codec = self
    (codec.figureUnits, codec.addFigures) = (units, add)
    return codec
  }

  /// - Parameter digest: A direct way to the digest, for values whose JSON is expensive.
  init(
    read: @escaping @Sendable (JSONValue, inout ReadingContext) -> Value?,
    write: @escaping @Sendable (Value) -> JSONValue?,
    digest: (@Sendable (Value) -> ContentDigest?)? = nil
  ) {
    (self.read, self.write) = (read, write)
    self.digest = digest ?? { write($0).map { ContentDigest($0) } }
  }
}

extension FieldCodec where Value: PayloadSection {
  /// An object with a field table.
  static var section: Self {
    Self { json, context in
      guard let fields = json.opened.fields else { return context.refuse(json, "an object") }
      return Value(fields, &context)
    } write: {
      .object($0.json)
    } digest: {
      $0.digest
    }.figures({ Value.figureUnits.map { ("." + $0.name, $0.unit) } }) { section, name, list in
      section.addFigures(under: name + ".", to: &list)
    }
  }
}

extension FieldCodec {
  /// An array; elements that are not understood are left out.
  static func list<Element>(_ element: FieldCodec<Element>) -> FieldCodec<[Element]>
  where Value == [Element] {
    FieldCodec<[Element]> { json, context in
      guard let elements = json.opened.elements else { return context.refuse(json, "an array") }
      return elements.enumerated().compactMap { index, value in
        context.at(String(index)) { element.read(value, &$0) }
      }
    } write: {
      .array($0.compactMap(element.write))
    } digest: {
      ContentDigest(elements: $0.lazy.compactMap(element.digest))
    }
  }
}

extension FieldCodec<String> {
  /// A string; a number becomes its digits.
  static let text = FieldCodec { json, context in
    switch json {
    case .string(let text): return text
    case .integer(let value):
      context.note("a number where a text was expected")
      return String(value)
    case .null, .bool, .unsigned, .wide, .number, .array, .object: return context.refuse(json, "a text")
    }
  } write: {
    .string($0)
  } digest: {
    ContentDigest($0)
  }

  /// A string, or an object as its JSON.
  static let words = FieldCodec { json, context in
    json.fields == nil ? text.read(json, &context) : json.compactText
  } write: {
    .string($0)
  }
}

extension FieldCodec<[String: JSONValue]> {
  /// An object as it is.
  static let members = FieldCodec { json, context in
    json.fields ?? context.refuse(json, "an object")
  } write: {
    .object($0)
  }
}

extension FieldCodec<Bool> {
  /// A JSON boolean.
  static let flag = FieldCodec { json, context in
    if case .bool(let value) = json { return value }
    return readWord(json, &context)
  } write: {
    .bool($0)
  }

  /// A boolean written as a numeric string, `"1"`.
  static let numericFlag = FieldCodec { json, context in
    readWord(json, &context)
  } write: {
    .string($0 ? "1" : "0")
  }

  private static func readWord(_ json: JSONValue, _ context: inout ReadingContext) -> Bool? {
    switch json {
    case .bool(let value): return value
    case .integer(1): return true
    case .integer(0): return false
    case .string(let text):
      switch text.lowercased() {
      case "1", "true", "yes": return true
      case "0", "false", "no": return false
      default: return context.refuse(json, "a boolean")
      }
    case .null, .integer, .unsigned, .wide, .number, .array, .object:
      return context.refuse(json, "a boolean")
    }
  }
}

extension FieldCodec<Int> {
  /// An integer, or a string with one.
  static let integer = FieldCodec { json, context in
    switch json {
    case .integer(let value): return Int(exactly: value) ?? context.refuse(json, "a smaller number")
    case .number(let value): return Int(exactly: value) ?? context.refuse(json, "a whole number")
    case .string(let text):
      guard let quantity = LocalizedQuantity(text), quantity.unit.isEmpty,
        let value = Int(text) ?? Int(exactly: quantity.value)
      else { return context.refuse(json, "a whole number") }
      return value
    case .null, .bool, .unsigned, .wide, .array, .object: return context.refuse(json, "a whole number")
    }
  } write: {
    .integer(Int64($0))
  } digest: {
    ContentDigest(Int64($0))
  }

  /// A number of things.
  static let count = FieldCodec { json, context in
    guard let value = integer.read(json, &context) else { return nil }
    return value >= 0 ? value : context.refuse(json, "a count")
  } write: {
    integer.write($0)
  } digest: {
    integer.digest($0)
  }.figures({ [("", PayloadFigure.count)] }) { count, name, list in
    list.add(name, count: count)
  }

  /// A code of 64 bits, which is negative if the highest one is set.
  static let code = FieldCodec { json, context in
    if case .unsigned(let value) = json { return Int(truncatingIfNeeded: value) }
    return integer.read(json, &context)
  } write: {
    $0 < 0 ? JSONValue(UInt64(bitPattern: Int64($0))) : .integer(Int64($0))
  }
}

extension FieldCodec<UInt64> {
  /// An address of 64 bits, in digits or hexadecimal text; a negative number is taken as its bits.
  static let address = FieldCodec { json, context in
    switch json {
    case .integer(let value): return UInt64(bitPattern: value)
    case .unsigned(let value): return value
    case .string(let text):
      let value = text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
      return value ?? context.refuse(json, "an address")
    case .number(let value): return UInt64(exactly: value) ?? context.refuse(json, "an address")
    case .null, .bool, .wide, .array, .object: return context.refuse(json, "an address")
    }
  } write: {
    JSONValue($0)
  }
}

extension FieldCodec<Double> {
  /// Any number.
  static let number = FieldCodec { json, context in
    switch json {
    case .integer(let value): return Double(value)
    case .unsigned(let value): return Double(value)
    case .wide(let digits): return Double(digits)
    case .number(let value): return value
    case .string(let text):
      guard let quantity = LocalizedQuantity(text, style: .fraction), quantity.unit.isEmpty else {
        return context.refuse(json, "a number")
      }
      return quantity.value
    case .null, .bool, .array, .object: return context.refuse(json, "a number")
    }
  } write: { value in
    guard value.isFinite else { return nil }
    return Int64(exactly: value).map(JSONValue.integer) ?? .number(value)
  }
}

extension ReadingContext {
  /// Notes that something else was expected here.
  mutating func refuse<Value>(_ json: JSONValue, _ expected: String) -> Value? {
    let number = json.double.map { $0 < 0 ? String.printed("%g", $0) : json.kind }
    let given = json.text.map { "“\($0.prefix(40))”" } ?? number ?? json.kind
    leaveOut("\(given) where \(expected) was expected")
    return nil
  }
}
