import SimulationKit
import Sync

extension StoreTrial {
  /// Compares all reads that do not name an entity, and those of the entities that a call affected.
  mutating func compare(around step: StoreStep) -> [String] {
    let keys = [step.entity, samples.key()].compactMap(\.self)
    let ids = [step.mutation, samples.pick(reference.mutations)?.id].compactMap(\.self)
    return compare(keys: keys, ids: ids)
  }

  /// Compares all reads.
  mutating func compareAll() -> [String] {
    var keys: Set<EntityKey> = Set(reference.rows.map(\.key)).union(reference.mutations.map(\.entity))
    keys.formUnion(reference.letters.map(\.entity))
    keys.formUnion(reference.arrived.map(\.entity))
    let ids = (reference.mutations + reference.letters).map(\.id)
    return compare(keys: keys.sorted(by: EntityKey.inOrder), ids: ids)
  }

  private mutating func compare(keys: [EntityKey], ids: [String]) -> [String] {
    guard let store else { return [] }
    do {
      var found = try compareQueue(store) + compareRest(store)
      for key in keys { found += try compare(key, store) }
      for id in ids { found += try compare(id, store) }
      return try found + comparePushOrder(store)
    } catch {
      return ["no call fails: reading threw \(ConformanceText.of(error))"]
    }
  }

  private func compareQueue(_ store: any SyncStore) throws -> [String] {
    differences(
      "pendingCount says how many wait", try store.pendingCount(), reference.mutations.count)
      + differences(
        "mutations() are all that wait in order of creation", try store.mutations(), reference.mutations)
      + differences("deadLetters() are told oldest first", try store.deadLetters(), reference.letters)
  }

  private func compareRest(_ store: any SyncStore) throws -> [String] {
    var found = try differences(
      "unqueuedPendingEntities are the pending rows of which nothing waits, in order of ids",
      store.unqueuedPendingEntities(), reference.unqueued)
    for kind in reference.domain.kinds.map(\.name) + ["alien"] {
      found += try differences(
        "entities(of:) are the rows of a kind in order of ids", store.entities(of: kind),
        reference.rows(of: kind))
    }
    found += try differences(
      "quarantine() has each change once, those of an entity together, in order of arrival",
      store.quarantine(),
      reference.quarantine)
    found += try differences("cursor() is the last one that was set", store.cursor(), reference.cursor)
    found += try differences(
      "fetchedKinds() are the last ones that were set", store.fetchedKinds(), reference.fetchedKinds)
    return found
  }

  private func compare(_ key: EntityKey, _ store: any SyncStore) throws -> [String] {
    try differences(
      "mutations(of:) are those of one entity, oldest first", store.mutations(of: key),
      reference.mutations(of: key))
      + differences(
        "deadLetters(of:) are those of one entity, oldest first", store.deadLetters(of: key),
        reference.letters.filter { $0.entity == key })
      + differences("entity(_:) is the row as it was written", store.entity(key), reference.row(key))
      + differences(
        "entities(waitingFor:) are the rows that name an entity they are not linked to, in order of ids",
        store.entities(waitingFor: key), reference.rows(waitingFor: key))
      + differences(
        "quarantine(of:) has the changes of one entity, oldest first", store.quarantine(of: key),
        reference.quarantine(of: key))
  }

  private func compare(_ id: String, _ store: any SyncStore) throws -> [String] {
    try differences("mutation(_:) is the one that waits", store.mutation(id), reference.mutation(id))
      + differences("deadLetter(_:) is the one that was buried", store.deadLetter(id), reference.letter(id))
  }

  private func differences<Value: Equatable>(_ rule: String, _ told: Value, _ expected: Value) -> [String] {
    told == expected ? [] : ["\(rule): \(StoreDifference.words(told, expected))"]
  }
}

// MARK: - Push order

extension StoreTrial {
  /// Reads all sendable mutations in pieces, then those after a previously returned position.
  private mutating func comparePushOrder(_ store: any SyncStore) throws -> [String] {
    let limit = 1 + samples.place(in: 5)
    var (found, last, told): ([String], QueuePosition?, Int) = ([], nil, 0)
    let expected = reference.sendable
    while found.isEmpty, case let piece = try store.nextMutations(after: last, limit: limit), !piece.isEmpty {
      found = compare(piece, with: expected[told...], limit: limit)
      guard found.isEmpty else { return found }
      for (queued, place) in zip(piece, expected[told...]) {
        if let last, !last.isBefore(queued.position) { found = [Self.placesGrow] }
        places.append((queued.position, place.lane, place.waiting.number))
        last = queued.position
      }
      told += piece.count
    }
    if found.isEmpty, told < expected.count {
      found = ["\(Self.pushOrder): nothing comes after \(told) of \(expected.count)"]
    }
    return try found + compareBehindPlace(store, expected, limit: limit)
  }

  private mutating func compareBehindPlace(
    _ store: any SyncStore, _ all: [(lane: Int, waiting: StoreReference.Waiting)], limit: Int
  ) throws -> [String] {
    if places.count > 500 { places.removeFirst(250) }
    let place = samples.chance(0.5) ? placeBeforeNewest(of: all) : samples.pick(places)
    guard let place else { return [] }
    let expected = all.filter { ($0.lane, $0.waiting.number) > (place.lane, place.number) }
    let piece = try store.nextMutations(after: place.position, limit: limit)
    guard piece.isEmpty else { return compare(piece, with: expected[...], limit: limit) }
    return expected.isEmpty ? [] : ["\(Self.pushOrder): nothing comes after a place that was passed before"]
  }

  /// The last position returned before the newest mutation in its lane.
  ///
  /// Its mutation may be gone by now, and the newest one must not reuse the position.
  private func placeBeforeNewest(of all: [(lane: Int, waiting: StoreReference.Waiting)]) -> Place? {
    guard let newest = all.max(by: { $0.waiting.number < $1.waiting.number }) else { return nil }
    return places.filter { $0.lane == newest.lane && $0.number < newest.waiting.number }
      .max { $0.number < $1.number }
  }

  private func compare(
    _ piece: [QueuedMutation], with rest: ArraySlice<(lane: Int, waiting: StoreReference.Waiting)>, limit: Int
  ) -> [String] {
    guard piece.count <= limit else {
      return ["nextMutations returns at most limit: \(piece.count) for \(limit)"]
    }
    // Each piece has only one lane, up to the limit.
    let lane = rest.prefix { $0.lane == rest.first?.lane }.prefix(limit).map(\.waiting.mutation)
    guard piece.map(\.mutation) == lane else {
      return ["\(Self.pushOrder): \(StoreDifference.words(piece.map(\.mutation), lane))"]
    }
    let isNumbered = piece.allSatisfy { $0.position.lane == rest.first?.lane }
    return isNumbered ? [] : ["the lane of a position is that of QueueRules.lane(of:in:)"]
  }

  private static let pushOrder =
    "nextMutations has the oldest of each entity, one lane at a time, in push order"
  private static let placesGrow = "within one lane the sequence grows in order of creation"
}

extension QueuePosition {
  /// True if another position comes later.
  fileprivate func isBefore(_ other: QueuePosition) -> Bool {
    (lane, sequence) < (other.lane, other.sequence)
  }
}
