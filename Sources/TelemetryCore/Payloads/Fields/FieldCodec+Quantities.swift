import Codecs

extension FieldCodec<Quantity<DurationUnit>> {
  /// A duration, written in Apple's unit for the field.
  static func duration(
    _ unit: PayloadUnit, style: LocalizedQuantity.Style = .whole
  ) -> FieldCodec {
    let word = ContentDigest(unit.word)
    return FieldCodec { json, context in
      guard let (value, written) = context.quantity(json, in: unit, style: style) else { return nil }
      return Quantity(value: value, unit: written.duration)
    } write: { quantity in
      if style == .fraction { return .exactQuantity(quantity) }
      return .quantity(quantity.value(in: unit.duration), unit.word)
    } digest: { quantity in
      if style == .fraction { return JSONValue.exactQuantity(quantity).map { ContentDigest($0) } }
      return ContentDigest(quantity: quantity.value(in: unit.duration).nearestWhole, unit: word)
    }.figures({ [("", unit.word)] }) { duration, name, list in
      list.add(name, duration, in: unit)
    }
  }
}

extension FieldCodec<Quantity<InformationUnit>> {
  /// Kilobytes of 1,024 bytes, as the system counts memory, writes and transfers.
  static let kibibytes = information(.kilobytes, of: 1_024)
  /// Kilobytes of 1,000 bytes, as the system counts disk space.
  static let decimalKilobytes = information(.kilobytes, of: 1_000)
  /// Bytes.
  static let bytes = information(.bytes, of: 1)

  /// An amount of bytes, written in Apple's unit for the field.
  ///
  /// - Parameter bytes: Bytes in the unit as Apple counts them here.
  private static func information(_ unit: PayloadUnit, of bytes: Double) -> FieldCodec {
    let word = ContentDigest(unit.word)
    return FieldCodec { json, context in
      guard let (value, written) = context.quantity(json, in: unit) else { return nil }
      // Only Apple's kilobytes are of 1,024 bytes; other units go by their letters.
      let size = written == unit ? value : value * written.bytes / bytes
      return Quantity(value: size, unit: unit.information)
    } write: {
      .quantity($0.value(in: unit.information), unit.word)
    } digest: {
      ContentDigest(quantity: $0.value(in: unit.information).nearestWhole, unit: word)
    }.figures({ [("", unit.word)] }) { amount, name, list in
      list.add(name, amount, in: unit)
    }
  }
}

extension FieldCodec<Quantity<SymbolUnit>> {
  /// A number whose unit is a symbol that is the same in all languages.
  static func symbol(_ unit: SymbolUnit) -> FieldCodec {
    let symbol = unit.symbol
    let word = ContentDigest(symbol)
    return FieldCodec { json, context in
      guard let value = context.number(json, with: symbol) else { return nil }
      return Quantity(value: value, unit: unit)
    } write: {
      .quantity($0.value, symbol)
    } digest: {
      ContentDigest(quantity: $0.value.nearestWhole, unit: word)
    }.figures({ [("", symbol)] }) { quantity, name, list in
      list.add(name, quantity, in: unit)
    }
  }
}

extension ReadingContext {
  /// A number with the unit it was written with, or else the expected one; `nil` if that is impossible.
  mutating func quantity(
    _ json: JSONValue, in expected: PayloadUnit, style: LocalizedQuantity.Style = .whole
  ) -> (Double, PayloadUnit)? {
    if let fields = json.fields, let value = fields["value"]?.double, let word = fields["unit"]?.text {
      guard let unit = PayloadUnit(word: word, dimension: expected.dimension) else {
        return refuse(json, of: word, expected.word)
      }
      return possible(value, unit, json)
    }
    guard let text = json.text else {
      return bareNumber(json, taken: expected.word).flatMap { possible($0, expected, json) }
    }
    if let value = LocalizedQuantity.plain(text, word: expected.word) {
      return possible(value, expected, json)
    }
    guard let quantity = LocalizedQuantity(text, style: style) else { return refuse(json, "a quantity") }
    let unit = PayloadUnit(word: quantity.unit, dimension: expected.dimension)
    // A sign, or too many digits, are no form of a region.
    guard let found = possible(quantity.value, unit ?? expected, json) else { return nil }
    if let unit {
      if style == .whole { noteForm(of: text, in: unit, expected) }
      return found
    }
    return taken(quantity, of: text, as: expected.word).map { ($0, expected) }
  }

  /// A quantity, unless it is below zero or beyond all reason: no figure of an app comes near an exabyte, nor near a
  /// thousand years.
  private mutating func possible(
    _ value: Double, _ unit: PayloadUnit, _ json: JSONValue
  ) -> (Double, PayloadUnit)? {
    let isTime = unit.dimension == .duration
    let kind = isTime ? "time" : "size"
    guard value >= 0 else { return refuse(json, "a \(kind) of zero or more") }
    let amount =
      isTime ? Quantity(value: value, unit: unit.duration).value(in: .hours) / 1e7 : value * unit.bytes / 1e18
    return amount <= 1 ? (value, unit) : refuse(json, "a possible \(kind)")
  }

  /// The number of a text with an unknown unit.
  ///
  /// Systems before iOS 16 wrote units in the words of the region, and not all are known; a unit in Latin letters is
  /// one of another kind.
  private mutating func taken(_ quantity: LocalizedQuantity, of text: String, as unit: String) -> Double? {
    if quantity.unit.contains(where: { $0.isASCII && $0.isLetter }) || quantity.unit == "%" {
      return refuse(.string(text), of: quantity.unit, unit)
    }
    note(
      quantity.unit.isEmpty
        ? "no unit in “\(text.prefix(40))”, taken as \(unit)"
        : "unknown unit in “\(text.prefix(40))”, taken as \(unit)")
    return quantity.value
  }

  private mutating func refuse<Value>(_ json: JSONValue, of word: String, _ expected: String) -> Value? {
    refuse(json, "\(expected), not \(word.prefix(20)),")
  }

  /// Distinguishes a unit that Apple does not use here from a regional format.
  private mutating func noteForm(of text: String, in unit: PayloadUnit, _ expected: PayloadUnit) {
    if unit == expected {
      regionalText = regionalText ?? text
    } else {
      note("“\(text.prefix(40))”, where Apple writes \(expected.word)")
    }
  }

  /// A number whose unit is a symbol that is the same in all languages.
  mutating func number(_ json: JSONValue, with symbol: String) -> Double? {
    let value = anyNumber(json, with: symbol)
    if let value, value < 0 { return refuse(json, "\(symbol) of zero or more") }
    return value
  }

  private mutating func anyNumber(_ json: JSONValue, with symbol: String) -> Double? {
    if let fields = json.fields, let value = fields["value"]?.double, let word = fields["unit"]?.text {
      return word.lowercased() == symbol.lowercased() ? value : refuse(json, of: word, symbol)
    }
    guard let text = json.text else { return bareNumber(json, taken: symbol) }
    if let value = LocalizedQuantity.plain(text, word: symbol) { return value }
    guard let quantity = LocalizedQuantity(text) else { return refuse(json, "a quantity") }
    return quantity.unit == symbol.lowercased() ? quantity.value : taken(quantity, of: text, as: symbol)
  }

  private mutating func bareNumber(_ json: JSONValue, taken unit: String) -> Double? {
    let value: Double
    switch json {
    case .integer(let number): value = Double(number)
    case .unsigned(let number): value = Double(number)
    case .number(let number): value = number
    case .null, .bool, .wide, .string, .array, .object: return refuse(json, "a quantity")
    }
    note("a number without a unit, taken as \(unit)")
    return value
  }
}

extension JSONValue {
  /// A quantity as systems since iOS 16 write it: a whole number without grouping, a space, the unit.
  static func quantity(_ value: Double, _ word: String) -> JSONValue? {
    let whole = value.nearestWhole
    if let number = Int64(exactly: whole) { return .string("\(number) \(word)") }
    return whole.isFinite ? .string(.printed("%.0f", whole) + " " + word) : nil
  }

  /// A duration with its fraction, in its own unit.
  static func exactQuantity(_ quantity: Quantity<DurationUnit>) -> JSONValue? {
    guard quantity.value.isFinite else { return nil }
    let unit = PayloadUnit.allCases.first { $0.dimension == .duration && $0.duration == quantity.unit }
    let value = unit == nil ? quantity.value(in: .seconds) : quantity.value
    let word = (unit ?? .seconds).word
    if let whole = Int64(exactly: value) { return .string("\(whole) \(word)") }
    let text = String(value)
    return text.contains("e") ? .quantity(value, word) : .string("\(text) \(word)")
  }
}

extension Double {
  /// The integer that Apple's formatter would write.
  var nearestWhole: Double { rounded(.toNearestOrEven) }
}
