import Platform
import Sync

extension SyncWorld {
  /// Makes changes on the device, and lets the app request a run if it does so after changes.
  func make(_ change: SimulatedChange) {
    guard let kind = scenario.domain[change.kind] else { return }
    let engine = engine
    for _ in 0..<change.count {
      guard let (key, members) = localEdit(change, kind) else { break }
      trace?.note(.app, .engine, "\(change.operation.rawValue) \(change.kind)")
      _ = tasks.tasks.start {
        _ = try? await engine.queueMutation(change.operation, of: key, members: members)
      }
      tasks.drain()
    }
    if asksAfterChanges && isOnline { happen(.recurring(.trigger)) }
  }

  private func localEdit(_ change: SimulatedChange, _ kind: EntityKind)
    -> (EntityKey, [String: SyncValue])?
  {
    if let id = change.id {
      return (EntityKey(kind: kind.name, id: id), content.members(of: change, kind))
    }
    switch change.operation {
    case .create:
      let owners = kind.link.map { localIDs(of: $0.kind) } ?? []
      // A dependent entity cannot be created before there is an owner.
      if kind.fetchedPer != nil && owners.isEmpty { return nil }
      let id = identifiers.timeOrdered(at: clock.wallTime)
      return (
        EntityKey(kind: kind.name, id: id),
        content.members(of: kind, owners: owners, isPoison: change.isPoison)
      )
    case .update:
      return content.choose(localIDs(of: kind.name)).map {
        (EntityKey(kind: kind.name, id: $0), content.edit(isPoison: change.isPoison))
      }
    case .delete:
      return content.choose(localIDs(of: kind.name)).map { (EntityKey(kind: kind.name, id: $0), [:]) }
    }
  }

  private func localIDs(of kind: String) -> [String] {
    (try? stores.ids(of: kind, without: .failed)) ?? []
  }

  /// Makes changes on the server, as other users do.
  func makeRemote(_ change: SimulatedChange) {
    guard let kind = scenario.domain[change.kind] else { return }
    for _ in 0..<change.count {
      guard let edit = remoteEdit(change, kind) else { break }
      remote.withLock { world in
        world.server.change(edit)
        world.answers.localWins[edit.entity] = change.localWins
      }
    }
  }

  /// A separate function, so that no second copy of the server is alive when it changes.
  private func remoteEdit(_ change: SimulatedChange, _ kind: EntityKind) -> RemoteChange? {
    let server = remote.withLock { $0.server }
    return server.edit(change, kind, &content, &identifiers, at: clock.recordTime)
  }
}
