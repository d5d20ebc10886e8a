/// Changes that wait for the entity that they edit.
struct Quarantine {
  private var keys: [EntityKey] = []
  private var byEntity: [EntityKey: [RemoteChange]] = [:]
  /// Whether anything was put in or taken out.
  private(set) var isChanged = false

  /// What was stored, in its order.
  init(_ changes: [RemoteChange]) {
    for change in changes { put(change) }
    isChanged = false
  }

  /// The changes, those of one entity together, in order of arrival.
  var all: [RemoteChange] { keys.flatMap { byEntity[$0] ?? [] } }

  /// Puts a change in; one that is in already, as after a page that is read twice, is not put in again.
  mutating func put(_ change: RemoteChange) {
    if byEntity[change.entity] == nil { keys.append(change.entity) }
    guard byEntity[change.entity]?.contains(change) != true else { return }
    byEntity[change.entity, default: []].append(change)
    isChanged = true
  }

  /// Takes out what waits for an entity, oldest first.
  mutating func take(_ entity: EntityKey) -> [RemoteChange] {
    guard let changes = byEntity.removeValue(forKey: entity) else { return [] }
    keys.removeAll { $0 == entity }
    isChanged = true
    return changes
  }
}
