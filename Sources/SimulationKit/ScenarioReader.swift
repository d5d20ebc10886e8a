package import Codecs
import Essentials

/// Reads the members of one object and reports unknown ones as errors.
package struct ScenarioReader {
  private let place: String
  private let members: [String: JSONValue]
  private var known: Set<String> = []

  package init(_ value: JSONValue, at place: String) throws(ScenarioError) {
    guard case .object(let members) = value else {
      throw ScenarioError(place: place, text: "expected an object")
    }
    self.place = place
    self.members = members
  }

  package func place(of name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

  package func fault(_ name: String, _ text: String) -> ScenarioError {
    ScenarioError(place: place(of: name), text: text)
  }

  /// A member of any type; `nil` if absent.
  package mutating func value(_ name: String) -> JSONValue? {
    known.insert(name)
    return members[name]
  }

  package mutating func text(_ name: String) throws(ScenarioError) -> String {
    guard let text = try optionalText(name) else { throw fault(name, "is missing") }
    return text
  }

  package mutating func optionalText(_ name: String) throws(ScenarioError) -> String? {
    guard let value = value(name) else { return nil }
    guard case .string(let text) = value, !text.isEmpty else { throw fault(name, "expected a string") }
    return text
  }

  package mutating func bool(_ name: String, else standard: Bool) throws(ScenarioError) -> Bool {
    try optionalBool(name) ?? standard
  }

  package mutating func optionalBool(_ name: String) throws(ScenarioError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let claim) = value else { throw fault(name, "expected true or false") }
    return claim
  }

  package mutating func number(_ name: String, in range: ClosedRange<Double>) throws(ScenarioError)
    -> Double?
  {
    guard let value = value(name) else { return nil }
    guard let number = value.double else { throw fault(name, "expected a number") }
    guard range.contains(number) else {
      throw fault(
        name, "\(number) is not between \(Self.short(range.lowerBound)) and \(Self.short(range.upperBound))")
    }
    return number
  }

  package mutating func whole(_ name: String, in range: ClosedRange<Int64>) throws(ScenarioError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard case .integer(let whole) = value, range.contains(whole) else {
      throw fault(name, "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  /// A time in seconds, to the millisecond.
  package mutating func seconds(_ name: String, in range: ClosedRange<Double>) throws(ScenarioError)
    -> Duration?
  {
    try number(name, in: range).map { .milliseconds(Int64(($0 * 1000).rounded())) }
  }

  /// The time of an act, `at`, and its kind, `do`.
  package mutating func act<Verb: RawRepresentable<String> & CaseIterable>(
    _: Verb.Type
  ) throws(ScenarioError) -> (at: Duration, verb: Verb) {
    guard let moment = try seconds("at", in: Self.moments) else { throw fault("at", "is missing") }
    let name = try text("do")
    guard let verb = Verb(rawValue: name) else {
      let names = Verb.allCases.map(\.rawValue).joined(separator: ", ")
      throw fault("do", "unknown act '\(name)'; choose one of \(names)")
    }
    return (moment, verb)
  }

  package mutating func list(_ name: String) throws(ScenarioError) -> [JSONValue] {
    guard let value = value(name) else { return [] }
    guard case .array(let values) = value else { throw fault(name, "expected an array") }
    guard values.count <= 10_000 else { throw fault(name, "\(values.count) entries are too many") }
    return values
  }

  /// Rejects members that were not read.
  package func finish() throws(ScenarioError) {
    guard let stranger = members.keys.filter({ !known.contains($0) }).min() else { return }
    let names = known.sorted().joined(separator: ", ")
    throw fault(stranger, "unknown member; choose one of \(names)")
  }

  private static func short(_ number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? String(number)
  }
}
