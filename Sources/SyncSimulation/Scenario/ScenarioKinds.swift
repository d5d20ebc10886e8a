import Codecs
import SimulationKit
import Sync

extension EntityKind {
  /// Reads a kind from an element of a scenario's list.
  ///
  /// - Parameter rank: Its position in the list, and thereby in the order in which creates are pushed.
  init(_ value: JSONValue, rank: Int, at place: String) throws(ScenarioError) {
    var reader = try ScenarioReader(value, at: place)
    let name = try reader.text("name")
    let batch = try reader.whole("batch", in: 1...10_000) ?? 1
    var batched: Set<Mutation.Operation> = []
    for (index, word) in try reader.lines("batched").enumerated() {
      guard let operation = Mutation.Operation(rawValue: word) else {
        let names = Mutation.Operation.allCases.map(\.rawValue).joined(separator: ", ")
        throw reader.fault("batched[\(index)]", "'\(word)' is none of \(names)")
      }
      batched.insert(operation)
    }
    let owner = try reader.optionalText("owner")
    try reader.finish()
    self.init(
      name: name, rank: rank, batchSize: Int(batch), batched: batched.isEmpty ? [.create] : batched,
      link: owner.map { Link(member: Self.ownerMember, kind: $0) })
  }

  /// The member that names the owner in kinds defined by a scenario.
  static let ownerMember = "owner"

  /// The kind in scenario syntax.
  var json5: String {
    var parts = ["name: \(JSON5Text.quoted(name))"]
    if batchSize != 1 { parts.append("batch: \(batchSize)") }
    if batchSize != 1, batched != [.create] {
      let words = Mutation.Operation.allCases.filter(batched.contains).map { JSON5Text.quoted($0.rawValue) }
      parts.append("batched: [\(words.joined(separator: ", "))]")
    }
    if let link { parts.append("owner: \(JSON5Text.quoted(link.kind))") }
    return "{ \(parts.joined(separator: ", ")) }"
  }
}
