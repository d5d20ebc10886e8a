package import Essentials

/// Why a text is no scenario: where in it, and what is wrong there.
package struct ScenarioFailure: Error, Hashable, Sendable {
  /// The place, such as `acts[3].amount`; empty for the text as a whole.
  package let place: String
  /// The problem.
  package let text: String

  package init(place: String, text: String) {
    self.place = place
    self.text = text
  }

  /// The problem and its place, in one line.
  package static func message(_ text: String, at place: String, line: Int?, column: Int?) -> String {
    let words = place.isEmpty ? text : "\(place): \(text)"
    guard let line, let column else { return words }
    return "line \(line), column \(column): \(words)"
  }

  /// The problem with its line and column in the text: where that stops being JSON5, if it does.
  package func located(in data: Data) -> (text: String, line: Int, column: Int)? {
    let places = JSON5Places(String(decoding: data, as: UTF8.self))
    if place.isEmpty, let fault = places.fault {
      return (fault.sentence, fault.line, fault.column)
    }
    return places.location(of: place).map { (text, $0.line, $0.column) }
  }
}

/// Reads the members of one object; those that no one asked for are an error.
package struct ScenarioReader {
  private let place: String
  private let members: [String: JSON5Value]
  private var known: Set<String> = []

  package init(_ value: JSON5Value, at place: String) throws(ScenarioFailure) {
    guard case .object(let members) = value else {
      throw ScenarioFailure(place: place, text: "expected an object")
    }
    self.place = place
    self.members = members
  }

  package func place(of name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

  package func fault(_ name: String, _ text: String) -> ScenarioFailure {
    ScenarioFailure(place: place(of: name), text: text)
  }

  /// A member of any type, or `nil` where it is absent.
  package mutating func value(_ name: String) -> JSON5Value? {
    known.insert(name)
    return members[name]
  }

  package mutating func text(_ name: String) throws(ScenarioFailure) -> String {
    guard let text = try optionalText(name) else { throw fault(name, "is missing") }
    return text
  }

  package mutating func optionalText(_ name: String) throws(ScenarioFailure) -> String? {
    guard let value = value(name) else { return nil }
    guard case .text(let text) = value, !text.isEmpty else { throw fault(name, "expected a string") }
    return text
  }

  package mutating func bool(_ name: String, else standard: Bool) throws(ScenarioFailure) -> Bool {
    try optionalBool(name) ?? standard
  }

  package mutating func optionalBool(_ name: String) throws(ScenarioFailure) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let claim) = value else { throw fault(name, "expected true or false") }
    return claim
  }

  package mutating func number(_ name: String, in range: ClosedRange<Double>) throws(ScenarioFailure)
    -> Double?
  {
    guard let value = value(name) else { return nil }
    guard let number = value.number else { throw fault(name, "expected a number") }
    guard range.contains(number) else {
      throw fault(
        name, "\(number) is not between \(Self.short(range.lowerBound)) and \(Self.short(range.upperBound))")
    }
    return number
  }

  package mutating func whole(_ name: String, in range: ClosedRange<Int64>) throws(ScenarioFailure) -> Int64?
  {
    guard let value = value(name) else { return nil }
    guard case .whole(let whole) = value, range.contains(whole) else {
      throw fault(name, "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  /// A time in seconds, to the millisecond.
  package mutating func seconds(_ name: String, in range: ClosedRange<Double>) throws(ScenarioFailure)
    -> Duration?
  {
    try number(name, in: range).map { .milliseconds(Int64(($0 * 1000).rounded())) }
  }

  /// When an act happens, `at`, and which it is, `do`.
  package mutating func act<Verb: RawRepresentable<String> & CaseIterable>(
    _: Verb.Type
  ) throws(ScenarioFailure) -> (at: Duration, verb: Verb) {
    guard let moment = try seconds("at", in: Self.moments) else { throw fault("at", "is missing") }
    let name = try text("do")
    guard let verb = Verb(rawValue: name) else {
      let names = Verb.allCases.map(\.rawValue).joined(separator: ", ")
      throw fault("do", "unknown act '\(name)'; choose one of \(names)")
    }
    return (moment, verb)
  }

  package mutating func list(_ name: String) throws(ScenarioFailure) -> [JSON5Value] {
    guard let value = value(name) else { return [] }
    guard case .list(let values) = value else { throw fault(name, "expected an array") }
    guard values.count <= 10_000 else { throw fault(name, "\(values.count) entries are too many") }
    return values
  }

  /// Complains of members that no one asked for.
  package func finish() throws(ScenarioFailure) {
    guard let stranger = members.keys.filter({ !known.contains($0) }).min() else { return }
    let names = known.sorted().joined(separator: ", ")
    throw fault(stranger, "unknown member; choose one of \(names)")
  }

  private static func short(_ number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? String(number)
  }
}
