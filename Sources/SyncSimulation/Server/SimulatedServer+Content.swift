import Essentials
import Sync

extension SimulatedServer {
  /// Far beyond 32 bits, so that truncated cursors are noticed.
  private static let firstCursor: Int64 = 1 << 40

  /// A server with the initial content of a scenario.
  init(_ scenario: Scenario, _ content: inout SimulatedContent, _ identifiers: inout SyncIdentifiers) {
    self.init(
      domain: scenario.domain, cursor: Self.firstCursor, hasVersions: scenario.hasVersions,
      hasOpaqueCursors: scenario.hasOpaqueCursors)
    for group in scenario.content {
      guard let kind = domain[group.kind] else { continue }
      let ids: [String?] = group.ids.isEmpty ? Array(repeating: nil, count: group.count) : group.ids
      for id in ids {
        let create = SimulatedChange(.create, kind: group.kind, id: id)
        guard let edit = edit(create, kind, &content, &identifiers, at: scenario.start) else { break }
        change(edit)
      }
    }
  }

  /// A change by another user; `nil` if there is nothing to change.
  func edit(
    _ change: SimulatedChange, _ kind: EntityKind, _ content: inout SimulatedContent,
    _ identifiers: inout SyncIdentifiers, at time: Date
  ) -> RemoteChange? {
    if let id = change.id {
      return RemoteChange(
        entity: EntityKey(kind: kind.name, id: id), operation: change.operation,
        members: content.members(of: change, kind))
    }
    guard change.operation != .create else {
      let owners = kind.link.map { ids(of: $0.kind) } ?? []
      if kind.fetchedPer != nil && owners.isEmpty { return nil }
      let key = EntityKey(kind: kind.name, id: identifiers.timeOrdered(at: time))
      let members = content.members(of: kind, owners: owners)
      return RemoteChange(entity: key, operation: .create, members: members)
    }
    guard let id = content.choose(ids(of: kind.name)) else { return nil }
    return RemoteChange(
      entity: EntityKey(kind: kind.name, id: id), operation: change.operation,
      members: change.operation == .delete ? [:] : content.edit())
  }
}
