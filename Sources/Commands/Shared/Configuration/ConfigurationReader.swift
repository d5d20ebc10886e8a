import Aggregation
import Codecs
import Dashboard
import DashboardCore
import Essentials
import JSONLines
import SimulationKit
import TerminalUI

/// Parses a configuration; invalid settings are reported and left out, the rest applies.
struct ConfigurationReader {
  private(set) var configuration = Configuration()
  private(set) var problems: [ConfigurationProblem] = []
  private var document: JSON5Document?
  /// False if others can write to the file, so commands of its limits must not run.
  let allowsCommands: Bool

  /// Maximum entries of one list or object; a configuration written by hand never has more.
  private static let entryLimit = 1000

  init(_ text: String, allowsCommands: Bool = true) {
    self.allowsCommands = allowsCommands
    do throws(JSON5Document.Fault) {
      let document = try JSON5Document(text)
      self.document = document
      read(document.value)
    } catch {
      problems.append(ConfigurationProblem(line: error.line, text: error.text))
    }
    // Sorted by line, because members are read in the order of their names.
    problems = problems.enumerated()
      .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }.map(\.element)
  }

  private mutating func read(_ tree: JSONValue) {
    guard case .object(let members) = tree else {
      return report("", "expected an object: { theme: \"light\" }")
    }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) { read(name, value) }
  }

  mutating func report(_ place: String, _ text: String) {
    problems.append(ConfigurationProblem(line: document?.location(of: place)?.line, place: place, text: text))
  }

  private mutating func read(_ name: String, _ value: JSONValue) {
    switch name {
    case "theme": configuration.theme = choice(name, value, of: [Theme.automatic] + Theme.names)
    case "glyphs":
      configuration.glyphs = choice(name, value, of: GlyphTier.allCases.map(\.rawValue)).flatMap(
        GlyphTier.init)
    case "colors":
      configuration.colors = choice(name, value, of: ColorDepth.names.map(\.name))
        .flatMap(ColorDepth.init(name:))
    case "keys": readKeys(value)
    case "limits": configuration.limits = limits(value)
    case "units": configuration.units = words(name, value, Self.units)
    case "better": configuration.better = words(name, value, Self.directions)
    case "columns": configuration.columns = columns(value)
    case "maps": configuration.maps = maps(texts(name, value))
    case "sensitivity":
      configuration.sensitivity = choice(
        name, value, of: DetectionBudget.Sensitivity.allCases.map(\.rawValue)
      ).flatMap(DetectionBudget.Sensitivity.init)
    case "window":
      configuration.window = length(name, value, in: 1...86_400 * 366)
    case "start": configuration.start = choice(name, value, of: ScreenList.titles.map(\.name))
    default:
      report(name, "there is no such key" + Suggestion.question(about: name, among: Configuration.names))
    }
  }

  static let units: [(key: String, value: ValueUnit)] =
    ValueUnit.words.filter { $0.value != .plain } + [("moment", .moment), ("none", .plain)]
  private static let directions = BetterDirection.allCases.map { (key: $0.rawValue, value: $0) }
}

// MARK: Values

extension ConfigurationReader {
  mutating func text(_ place: String, _ value: JSONValue) -> String? {
    if case .string(let text) = value, !text.isEmpty { return text }
    report(place, "expected a string in quotes")
    return nil
  }

  mutating func choice(_ place: String, _ value: JSONValue, of names: [String]) -> String? {
    // A color depth looks like a number, so people omit the quotes.
    let value = if case .integer(let number) = value { JSONValue.string(String(number)) } else { value }
    guard let text = text(place, value) else { return nil }
    if names.contains(text) { return text }
    report(
      place,
      "unknown '\(text)'; expected \(Arguments.list(names))"
        + Suggestion.question(about: text, among: names)
    )
    return nil
  }

  mutating func number(_ place: String, _ value: JSONValue) -> Double? {
    switch value {
    case .integer(let whole): return Double(whole)
    case .number(let number) where number.isFinite: return number
    default:
      report(place, "expected a number")
      return nil
    }
  }

  mutating func bool(_ place: String, _ value: JSONValue) -> Bool? {
    if case .bool(let claim) = value { return claim }
    report(place, "expected true or false")
    return nil
  }

  /// A duration as text or in seconds.
  mutating func length(_ place: String, _ value: JSONValue, in range: ClosedRange<Double>) -> Double? {
    let seconds: Double? =
      switch value {
      case .integer(let whole): Double(whole)
      case .number(let number): number
      case .string(let text): MomentParser.length(text)
      default: nil
      }
    if let seconds, range.contains(seconds) { return seconds }
    let longest = DurationFormat.text(range.upperBound)
    report(place, "expected a duration such as \"10s\" or \"2m\", up to \(longest)")
    return nil
  }

  /// The members of an object, by name.
  mutating func members(_ place: String, _ value: JSONValue) -> [(
    place: String, name: String, value: JSONValue
  )] {
    guard case .object(let members) = value else {
      report(place, "expected an object")
      return []
    }
    guard members.count <= Self.entryLimit else {
      report(place, "\(members.count) entries are too many; \(Self.entryLimit) are read at most")
      return []
    }
    return members.sorted { $0.key < $1.key }.map { ("\(place).\($0.key)", $0.key, $0.value) }
  }

  mutating func list(_ place: String, _ value: JSONValue) -> [(place: String, value: JSONValue)] {
    guard case .array(let values) = value else {
      report(place, "expected a list")
      return []
    }
    guard values.count <= Self.entryLimit else {
      report(place, "\(values.count) entries are too many; \(Self.entryLimit) are read at most")
      return []
    }
    return values.enumerated().map { ("\(place)[\($0.offset)]", $0.element) }
  }

  /// The valid maps.
  private mutating func maps(_ texts: [String: String]) -> [String: String] {
    texts.filter { name, text in
      do throws(LineMappingError) {
        _ = try LineMapping.parse(text)
        return true
      } catch {
        report("maps.\(name)", error.message)
        return false
      }
    }
  }

  private mutating func texts(_ place: String, _ value: JSONValue) -> [String: String] {
    var texts: [String: String] = [:]
    for (place, name, value) in members(place, value) { texts[name] = text(place, value) }
    return texts
  }

  private mutating func words<Value>(
    _ place: String, _ value: JSONValue, _ choices: [(key: String, value: Value)]
  ) -> [String: Value] {
    var found: [String: Value] = [:]
    for (place, name, value) in members(place, value) {
      let word = choice(place, value, of: choices.map(\.key))
      found[name] = choices.first { $0.key == word }?.value
    }
    return found
  }

  private mutating func columns(_ value: JSONValue) -> [LiveColumn]? {
    guard case .array = value else {
      report("columns", "expected a list")
      return nil
    }
    var columns: [LiveColumn] = []
    for (place, value) in list("columns", value) {
      guard let name = choice(place, value, of: LiveColumn.allCases.map(\.rawValue)),
        let column = LiveColumn(rawValue: name)
      else { continue }
      if columns.contains(column) {
        report(place, "'\(name)' is there twice")
      } else {
        columns.append(column)
      }
    }
    return columns
  }
}

// MARK: Keys

extension ConfigurationReader {
  private mutating func readKeys(_ value: JSONValue) {
    let names = ActionCatalog.names
    for (place, name, value) in members("keys", value) {
      guard names.contains(name) else {
        report(place, "there is no such action" + Suggestion.question(about: name, among: names))
        continue
      }
      if let keys = keys(place, value) { configuration.keys.keys[name] = keys }
    }
    for conflict in configuration.keys.conflicts {
      report("keys.\(conflict.loser)", conflict.text)
    }
  }

  /// One key or a list of them; an empty list removes the key bindings.
  private mutating func keys(_ place: String, _ value: JSONValue) -> [KeyPress]? {
    guard case .array = value else { return key(place, value).map { [$0] } }
    let entries = list(place, value)
    let keys = entries.compactMap { key($0.place, $0.value) }
    return keys.isEmpty && !entries.isEmpty ? nil : keys
  }

  private mutating func key(_ place: String, _ value: JSONValue) -> KeyPress? {
    // Digits are keys, too, so people omit the quotes.
    let value = if case .integer(let number) = value { JSONValue.string(String(number)) } else { value }
    guard let text = text(place, value) else { return nil }
    guard let key = KeyPress(named: text) else {
      report(place, "'\(text)' is not a key; keys are written x, X, Ctrl-L, Alt-Left, F5, Space or PgUp")
      return nil
    }
    guard key != KeyPress(.character("c"), .control) else {
      report(place, "Ctrl-C always quits")
      return nil
    }
    return key
  }
}
