public import Foundation

extension Scenario {
  /// The longest text that is read.
  private static let longest = 1 << 20
  /// Moments and lengths of scenarios in seconds, up to ten years.
  static let moments = 0.0...316_224_000

  /// Reads a scenario from JSON5.
  ///
  /// - Throws: ``ScenarioError`` for what is no scenario, with the place.
  public init(json5 data: Data) throws(ScenarioError) {
    guard data.count <= Self.longest else {
      throw ScenarioError(place: "", text: "\(data.count) bytes are too long for a scenario")
    }
    // Foundation's reader of JSON5 ends the program at a byte that is no UTF-8.
    guard let text = String(data: data, encoding: .utf8), !text.utf8.contains(0) else {
      throw ScenarioError(place: "", text: "this is no text in UTF-8")
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let tree: SyncValue
    do { tree = try decoder.decode(SyncValue.self, from: JSON5Text.joined(text)) } catch {
      throw ScenarioError(place: "", text: "this is no JSON5" + Self.words(error))
    }
    var reader = try ScenarioReader(tree, at: "")
    try self.init(&reader)
    try reader.finish()
  }

  private init(_ reader: inout ScenarioReader) throws(ScenarioError) {
    let name = try reader.text("name")
    guard name.count <= 60, name.utf8.allSatisfy(Self.isPartOfName) else {
      throw reader.fault("name", "only letters, digits, hyphens and underscores make a name")
    }
    self.init(
      name: name, title: try reader.text("title"), story: try reader.optionalText("story") ?? "",
      seed: try Self.seed(&reader), start: try Self.moment("start", &reader),
      duration: try reader.seconds("duration", in: Self.moments))
    guard duration != nil else { throw reader.fault("duration", "is missing") }
    configuration = try Self.configuration(reader.value("configuration"), at: "configuration")
    isSettled = try reader.bool("settled", else: false)
    for (index, value) in try reader.list("server").enumerated() {
      content.append(try Content(value, at: "server[\(index)]"))
    }
    for (index, value) in try reader.list("acts").enumerated() {
      acts.append(try TimedAct(value, at: "acts[\(index)]"))
    }
    acts = acts.inOrder
    expectedFrom = try reader.seconds("expectedFrom", in: Self.moments) ?? .zero
    for (index, value) in try reader.list("expected").enumerated() {
      guard case .string(let line) = value else {
        throw ScenarioError(place: "expected[\(index)]", text: "a text is wanted")
      }
      expected.append(line)
    }
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// A seed: a number, or a text where it is beyond the numbers that readers of JSON are sure of.
  private static func seed(_ reader: inout ScenarioReader) throws(ScenarioError) -> UInt64 {
    if case .string(let text) = reader.value("seed") {
      guard let seed = UInt64(text) else { throw reader.fault("seed", "a whole number is wanted") }
      return seed
    }
    return UInt64(try reader.whole("seed", in: 0...Int64.max) ?? 1)
  }

  private static func words(_ error: any Error) -> String {
    guard case DecodingError.dataCorrupted(let context) = error,
      let cause = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey] as? String
    else { return "" }
    return ": " + cause
  }

  private static func moment(_ name: String, _ reader: inout ScenarioReader) throws(ScenarioError) -> Date {
    let text = try reader.text(name)
    guard let date = ScenarioMoment.date(text),
      (0...3_155_760_000).contains(date.timeIntervalSinceReferenceDate)
    else { throw reader.fault(name, "a moment from 2001 to 2100 such as 2026-11-21T08:00:00Z is wanted") }
    return date
  }

  /// Reads constants; those that are absent have their default.
  static func configuration(_ value: SyncValue?, at place: String) throws(ScenarioError) -> SyncConfiguration
  {
    guard let value else { return SyncConfiguration() }
    var reader = try ScenarioReader(value, at: place)
    do {
      let standard = try JSONEncoder().encode(SyncConfiguration())
      for name in try JSONDecoder().decode([String: SyncValue].self, from: standard).keys {
        _ = reader.value(name)
      }
      let configuration = try JSONDecoder().decode(
        SyncConfiguration.self, from: JSONEncoder().encode(value))
      try reader.finish()
      return configuration
    } catch let error as ScenarioError {
      throw error
    } catch DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context) {
      let name = context.codingPath.last?.stringValue ?? ""
      throw reader.fault(name, context.debugDescription)
    } catch {
      throw ScenarioError(place: place, text: "these are no constants of an engine")
    }
  }
}

extension Scenario.Content {
  fileprivate init(_ value: SyncValue, at place: String) throws(ScenarioError) {
    var reader = try ScenarioReader(value, at: place)
    let kind = try reader.knownKind()
    guard let count = try reader.count() else { throw reader.fault("count", "is missing") }
    try reader.finish()
    self.init(kind: kind, count: count)
  }
}

extension ScenarioReader {
  /// How many entities.
  mutating func count() throws(ScenarioError) -> Int? {
    let counts = SimulatedChange.counts
    return try whole("count", in: Int64(counts.lowerBound)...Int64(counts.upperBound)).map { Int($0) }
  }

  /// The name of a kind of the sample domain.
  mutating func knownKind() throws(ScenarioError) -> String {
    let name = try text("kind")
    guard SyncDomain.sample[name] != nil else {
      let names = SyncDomain.sample.kinds.map(\.name).joined(separator: ", ")
      throw fault("kind", "there is no kind '\(name)'; there are \(names)")
    }
    return name
  }
}
