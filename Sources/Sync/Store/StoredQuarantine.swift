/// Changes that wait for the entity that they edit; every operation's cost depends on what it is about alone.
struct StoredQuarantine: Sendable {
  /// Changes waiting for one entity.
  struct Waiting: Sendable {
    fileprivate let number: Int
    fileprivate(set) var changes: [RemoteChange] = []
    fileprivate var known: Set<RemoteChange> = []
  }

  private var byEntity: [EntityKey: Waiting] = [:]
  private var next = 0
  /// How many changes there are.
  private(set) var count = 0

  /// The changes, those of one entity together, in order of arrival.
  var all: [RemoteChange] { byEntity.values.sorted { $0.number < $1.number }.flatMap(\.changes) }

  /// The entities of a kind that have some.
  func entities(of kind: String) -> [EntityKey] { byEntity.keys.filter { $0.kind == kind } }

  /// The changes of an entity, oldest first.
  subscript(_ entity: EntityKey) -> [RemoteChange] { byEntity[entity]?.changes ?? [] }

  /// Puts a change in; one that is in already, as after a page that is read twice, is not put in again.
  mutating func put(_ change: RemoteChange) {
    if byEntity[change.entity] == nil {
      byEntity[change.entity] = Waiting(number: next)
      next += 1
    }
    guard byEntity[change.entity]?.known.insert(change).inserted == true else { return }
    byEntity[change.entity]?.changes.append(change)
    count += 1
  }

  /// True if a change is in.
  func contains(_ change: RemoteChange) -> Bool { byEntity[change.entity]?.known.contains(change) == true }

  /// Takes out the change that was put in last of its entity.
  mutating func takeBack(_ change: RemoteChange) {
    guard byEntity[change.entity]?.known.remove(change) != nil else { return }
    byEntity[change.entity]?.changes.removeLast()
    count -= 1
    if byEntity[change.entity]?.changes.isEmpty == true { byEntity[change.entity] = nil }
  }

  /// All that waits for an entity, to be put back by ``restore(_:of:)``.
  func waiting(for entity: EntityKey) -> Waiting? { byEntity[entity] }

  /// Puts back what waited for an entity, to its place.
  mutating func restore(_ waiting: Waiting?, of entity: EntityKey) {
    take(entity)
    byEntity[entity] = waiting
    count += waiting?.changes.count ?? 0
  }

  /// Takes out what waits for an entity, oldest first.
  @discardableResult
  mutating func take(_ entity: EntityKey) -> [RemoteChange] {
    guard let waiting = byEntity.removeValue(forKey: entity) else { return [] }
    count -= waiting.changes.count
    return waiting.changes
  }
}
