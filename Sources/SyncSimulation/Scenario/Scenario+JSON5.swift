import Codecs
public import Essentials
public import SimulationKit
import Sync

extension Scenario {
  /// Reads a scenario from JSON5.
  ///
  /// - Throws: ``ScenarioError`` with the location of the problem.
  public init(json5 data: Data) throws(ScenarioError) { try self.init(reading: data) }

  /// The scenario as readable JSON5; ``init(json5:)`` reads it back to the same value.
  ///
  /// Only what files cannot express is lost: fractions of milliseconds, and a missing duration, which the reader
  /// requires.
  public var json5: String { text }
}

extension SyncSetup {
  init(_ reader: inout ScenarioReader) throws(ScenarioError) {
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
      guard let draw = value.double, (0...1).contains(draw) else {
        throw reader.fault("chance[\(index)]", "expected a number from 0 to 1")
      }
      chance.append(draw)
    }
  }

  private mutating func readKinds(_ reader: inout ScenarioReader) throws(ScenarioError) {
    var kinds: [EntityKind] = []
    for (index, value) in try reader.list("kinds").enumerated() {
      kinds.append(try EntityKind(value, rank: index, at: "kinds[\(index)]"))
    }
    if !kinds.isEmpty { domain = SyncDomain(kinds: kinds) }
  }

  /// Valid durations of a session, in seconds.
  private static let sessions = 1.0...366 * 86_400

  /// Reads constants; absent ones have their default.
  static func configuration(_ value: JSONValue?, at place: String) throws(ScenarioError)
    -> SyncConfiguration
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

extension SyncSetup.Content {
  fileprivate init(_ value: JSONValue, of domain: SyncDomain, at place: String) throws(ScenarioError) {
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
  /// Number of entities.
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
