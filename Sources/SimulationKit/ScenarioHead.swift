import Codecs
package import Essentials

/// The properties common to all scenarios.
package struct ScenarioHead: Hashable, Sendable {
  /// The name on the command line and in the record.
  package var name: String
  /// The display name.
  package var title: String
  /// Description of the events, and the lesson to learn from them.
  package var story: String
  /// The seed of all random numbers.
  package var seed: UInt64
  /// The calendar time at the start.
  package var start: Date
  /// Duration of the scenario; `nil` for no end.
  package var duration: Duration?

  package init(
    name: String, title: String, story: String, seed: UInt64, start: Date, duration: Duration?
  ) {
    self.name = name
    self.title = title
    self.story = story
    self.seed = seed
    self.start = start
    self.duration = duration
  }

  /// The first lines of a file.
  ///
  /// - Parameters:
  ///   - comment: A description for people.
  ///   - engine: The engine of the scenario; `nil` to leave it out.
  package func lines(_ comment: String, engine: String? = nil) -> [String] {
    var lines = ["// \(comment)", "{"]
    if let engine { lines.append("  engine: \(JSON5Text.quoted(engine)),") }
    lines += ["  name: \(JSON5Text.quoted(name)),", "  title: \(JSON5Text.quoted(title)),"]
    if !story.isEmpty {
      lines.append("  story: \(JSON5Text.wrapped(JSON5Text.quoted(story), width: 120, margin: 9)),")
    }
    lines.append("  seed: \(Int64(exactly: seed).map(String.init) ?? JSON5Text.quoted(String(seed))),")
    lines.append("  start: \(JSON5Text.quoted(ScenarioMoment.text(start))),")
    if let duration { lines.append("  duration: \(ScenarioText.seconds(duration)),") }
    return lines
  }
}

extension ScenarioReader {
  /// Maximum size of a text in bytes.
  private static let longest = 1 << 20
  /// Valid times and durations of scenarios in seconds, up to ten years.
  package static let moments = 0.0...316_224_000

  /// The parsed tree of a file.
  static func document(_ data: Data) throws(ScenarioError) -> JSON5Document {
    guard data.count <= longest else {
      throw ScenarioError(
        place: "", text: "\(data.count) bytes are too large for a scenario", line: 1, column: 1)
    }
    do throws(JSON5Document.Fault) { return try JSON5Document(data) } catch { throw ScenarioError(error) }
  }

  /// Reads the common properties; the duration is required.
  ///
  /// - Parameter engine: The required engine, if the scenario names one.
  package mutating func head(of engine: String) throws(ScenarioError) -> ScenarioHead {
    let other = try optionalText("engine")
    if let other, other != engine { throw fault("engine", "'\(other)' is not '\(engine)'") }
    let name = try text("name")
    guard name.count <= 60, name.utf8.allSatisfy(Self.isPartOfName) else {
      throw fault("name", "only letters, digits, hyphens and underscores make a name")
    }
    let head = ScenarioHead(
      name: name, title: try text("title"), story: try optionalText("story") ?? "", seed: try seed(),
      start: try start(), duration: try seconds("duration", in: Self.moments))
    guard head.duration != nil else { throw fault("duration", "is missing") }
    return head
  }

  /// Rejects an act after the end of its scenario, where it would never happen.
  package static func check(_ moment: Duration, isBeforeEnd end: Duration?, at place: String)
    throws(ScenarioError)
  {
    guard let end, moment > end else { return }
    throw ScenarioError(
      place: place + ".at",
      text:
        "second \(ScenarioText.seconds(moment)) is after the end of the scenario, \(ScenarioText.seconds(end))"
    )
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// A number, or a string if it exceeds what JSON readers represent exactly.
  private mutating func seed() throws(ScenarioError) -> UInt64 {
    if case .string(let text) = value("seed") {
      guard let seed = UInt64(text) else { throw fault("seed", "expected a whole number") }
      return seed
    }
    return UInt64(try whole("seed", in: 0...Int64.max) ?? 1)
  }

  private mutating func start() throws(ScenarioError) -> Date {
    guard let date = ScenarioMoment.date(try text("start")),
      ScenarioMoment.range.contains(date.timeIntervalSinceReferenceDate)
    else { throw fault("start", "expected a time from 2001 to 2100, such as 2026-11-21T08:00:00Z") }
    return date
  }

  /// A list of lines, such as the expected decisions.
  package mutating func lines(_ name: String) throws(ScenarioError) -> [String] {
    var lines: [String] = []
    for (index, value) in try list(name).enumerated() {
      guard case .string(let line) = value else {
        throw ScenarioError(place: "\(place(of: name))[\(index)]", text: "expected a string")
      }
      lines.append(line)
    }
    return lines
  }
}
