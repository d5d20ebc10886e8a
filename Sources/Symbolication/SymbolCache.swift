import Codecs
package import TelemetryCore

/// Keeps between runs what symbolizers have found, one file a build.
package protocol SymbolCache: Sendable {
  /// The kept bytes; `nil` if there are none.
  func load(_ module: ModuleIdentifier) -> [UInt8]?
  func save(_ bytes: [UInt8], of module: ModuleIdentifier)
}

/// The known places of one build.
package struct KnownPlaces: Equatable, Sendable {
  /// Changes whenever older files would mean something else.
  private static let version = "mistertop-symbols-1"

  package typealias Symbol = RecordedCallStacks.Symbol

  /// True if they come from a file that knows lines.
  package let hasLines: Bool
  /// The functions by offset; none for a place without any.
  package var places: [UInt64: [Symbol]] = [:]

  package init(hasLines: Bool) { self.hasLines = hasLines }

  /// Reads a kept file; `nil` for any other one, even if it is only cut.
  package init?(_ bytes: [UInt8], of module: ModuleIdentifier) {
    guard let fields = (try? JSONValue(bytes))?.fields, fields["format"]?.text == Self.version,
      fields["module"]?.text == module.digits, case .bool(let hasLines)? = fields["lines"],
      let symbols = fields["symbols"]?.elements?.map({ Symbol($0.fields ?? [:]) }),
      let offsets = fields["offsets"]?.elements, let found = fields["found"]?.elements,
      offsets.count == found.count
    else { return nil }
    self.hasLines = hasLines
    places.reserveCapacity(offsets.count)
    for (offset, found) in zip(offsets, found) {
      guard let offset = Self.number(offset), let indexes = found.elements else { return nil }
      var chain: [Symbol] = []
      for index in indexes {
        guard let index = Self.number(index).flatMap(Int.init(exactly:)), symbols.indices.contains(index)
        else {
          return nil
        }
        chain.append(symbols[index])
      }
      places[offset] = chain
    }
  }

  private static func number(_ json: JSONValue) -> UInt64? {
    switch json {
    case .integer(let value): UInt64(exactly: value)
    case .unsigned(let value): value
    case .null, .bool, .wide, .number, .string, .array, .object: nil
    }
  }

  /// The bytes of the file; each function is written once.
  package func bytes(of module: ModuleIdentifier) -> [UInt8] {
    var table: [Symbol] = []
    var known: [Symbol: Int64] = [:]
    let sorted = places.sorted { $0.key < $1.key }
    let found = sorted.map { _, chain in
      JSONValue.array(
        chain.map { symbol in
          if let index = known[symbol] { return .integer(index) }
          let index = Int64(table.count)
          known[symbol] = index
          table.append(symbol)
          return .integer(index)
        })
    }
    let fields: [String: JSONValue] = [
      "format": .string(Self.version), "module": .string(module.digits), "lines": .bool(hasLines),
      "symbols": .array(table.map(\.json)), "offsets": .array(sorted.map { JSONValue($0.key) }),
      "found": .array(found),
    ]
    return Array(JSONValue.object(fields).compactText.utf8)
  }
}
