public import Essentials
public import SimulationKit
import Sync

extension Scenario {
  /// Reads a scenario from JSON5.
  ///
  /// - Throws: ``ScenarioError`` for what is no scenario, with the place.
  public init(json5 data: Data) throws(ScenarioError) {
    do throws(ScenarioError) {
      var reader = try ScenarioReader(json5: data)
      try self.init(&reader)
      try reader.finish()
    } catch {
      throw error.located(in: data)
    }
  }

  private init(_ reader: inout ScenarioReader) throws(ScenarioError) {
    let head = try reader.head(of: "sync")
    self.init(
      name: head.name, title: head.title, story: head.story, seed: head.seed, start: head.start,
      duration: head.duration)
    configuration = try Self.configuration(reader.value("configuration"), at: "configuration")
    isSettled = try reader.bool("settled", else: false)
    hasVersions = try reader.bool("versions", else: false)
    hasOpaqueCursors = try reader.bool("opaqueCursors", else: false)
    session = try reader.seconds("session", in: Self.sessions)
    try readKinds(&reader)
    for (index, value) in try reader.list("server").enumerated() {
      content.append(try Content(value, of: domain, at: "server[\(index)]"))
    }
    for (index, value) in try reader.list("chance").enumerated() {
      guard let draw = value.number, (0...1).contains(draw) else {
        throw reader.fault("chance[\(index)]", "expected a number from 0 to 1")
      }
      chance.append(draw)
    }
    for (index, value) in try reader.list("acts").enumerated() {
      let act = try TimedAct(value, of: domain, at: "acts[\(index)]")
      try ScenarioReader.check(act.at, isBeforeEnd: duration, at: "acts[\(index)]")
      acts.append(act)
    }
    acts = acts.inOrder
    expectedFrom = try reader.seconds("expectedFrom", in: ScenarioReader.moments) ?? .zero
    expected = try reader.lines("expected")
  }

  private mutating func readKinds(_ reader: inout ScenarioReader) throws(ScenarioError) {
    var kinds: [EntityKind] = []
    for (index, value) in try reader.list("kinds").enumerated() {
      kinds.append(try EntityKind(value, rank: index, at: "kinds[\(index)]"))
    }
    if !kinds.isEmpty { domain = SyncDomain(kinds: kinds) }
  }

  /// How long a session lasts, in seconds.
  private static let sessions = 1.0...366 * 86_400

  /// Reads constants; those that are absent have their default.
  static func configuration(_ value: JSON5Value?, at place: String) throws(ScenarioError)
    -> SyncConfiguration
  {
    guard let value else { return SyncConfiguration() }
    var reader = try ScenarioReader(value, at: place)
    do {
      let standard = try JSONEncoder().encode(SyncConfiguration())
      for name in try JSONDecoder().decode([String: JSON5Value].self, from: standard).keys {
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
  fileprivate init(_ value: JSON5Value, of domain: SyncDomain, at place: String) throws(ScenarioError) {
    var reader = try ScenarioReader(value, at: place)
    let kind = try reader.knownKind(of: domain)
    let ids = try reader.lines("ids")
    guard ids.isEmpty else {
      try reader.finish()
      self.init(kind: kind, ids: ids)
      return
    }
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

  /// The name of a kind of the domain.
  mutating func knownKind(of domain: SyncDomain) throws(ScenarioError) -> String {
    let name = try text("kind")
    guard domain[name] != nil else {
      let names = domain.kinds.map(\.name).joined(separator: ", ")
      throw fault("kind", "there is no kind '\(name)'; there are \(names)")
    }
    return name
  }
}
