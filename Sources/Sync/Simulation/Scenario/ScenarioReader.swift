import Foundation

/// Why a text is no scenario: where in it, and what is wrong there.
public struct ScenarioError: Error, Hashable, Sendable {
  /// The place, such as `acts[3].amount`; empty for the text as a whole.
  public let place: String
  /// What is wrong.
  public let text: String

  /// The failure in one line; it may hold pieces of the file, which is untrusted.
  public var message: String { place.isEmpty ? text : "\(place): \(text)" }
}

/// Reads the members of one object; those that nobody asked for are an error.
struct ScenarioReader {
  private let place: String
  private let members: [String: SyncValue]
  private var known: Set<String> = []

  init(_ value: SyncValue, at place: String) throws(ScenarioError) {
    guard case .object(let members) = value else {
      throw ScenarioError(place: place, text: "an object is wanted")
    }
    self.place = place
    self.members = members
  }

  func place(of name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

  func fault(_ name: String, _ text: String) -> ScenarioError {
    ScenarioError(place: place(of: name), text: text)
  }

  /// A member of any type, or `nil` where it is absent.
  mutating func value(_ name: String) -> SyncValue? {
    known.insert(name)
    return members[name]
  }

  mutating func text(_ name: String) throws(ScenarioError) -> String {
    guard let text = try optionalText(name) else { throw fault(name, "is missing") }
    return text
  }

  mutating func optionalText(_ name: String) throws(ScenarioError) -> String? {
    guard let value = value(name) else { return nil }
    guard case .string(let text) = value, !text.isEmpty else { throw fault(name, "a text is wanted") }
    return text
  }

  mutating func bool(_ name: String, else standard: Bool) throws(ScenarioError) -> Bool {
    guard let value = value(name) else { return standard }
    guard case .bool(let claim) = value else { throw fault(name, "true or false is wanted") }
    return claim
  }

  mutating func number(_ name: String, in range: ClosedRange<Double>) throws(ScenarioError) -> Double? {
    guard let value = value(name) else { return nil }
    let number: Double
    switch value {
    case .int(let whole): number = Double(whole)
    case .double(let double): number = double
    default: throw fault(name, "a number is wanted")
    }
    guard range.contains(number) else {
      throw fault(
        name, "\(number) is not between \(Self.short(range.lowerBound)) and \(Self.short(range.upperBound))")
    }
    return number
  }

  mutating func whole(_ name: String, in range: ClosedRange<Int64>) throws(ScenarioError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard case .int(let whole) = value, range.contains(whole) else {
      throw fault(name, "a whole number from \(range.lowerBound) to \(range.upperBound) is wanted")
    }
    return whole
  }

  /// A time in seconds, to the millisecond.
  mutating func seconds(_ name: String, in range: ClosedRange<Double>) throws(ScenarioError) -> Duration? {
    try number(name, in: range).map { .milliseconds(Int64(($0 * 1000).rounded())) }
  }

  mutating func list(_ name: String) throws(ScenarioError) -> [SyncValue] {
    guard let value = value(name) else { return [] }
    guard case .array(let values) = value else { throw fault(name, "a list is wanted") }
    guard values.count <= 10_000 else { throw fault(name, "\(values.count) entries are too many") }
    return values
  }

  /// Complains of members that nobody asked for.
  func finish() throws(ScenarioError) {
    guard let stranger = members.keys.filter({ !known.contains($0) }).min() else { return }
    let names = known.sorted().joined(separator: ", ")
    throw fault(stranger, "there is no such member; there are \(names)")
  }

  private static func short(_ number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? String(number)
  }
}
