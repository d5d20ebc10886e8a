import Platform

// Reading rows, once and as a stream.
extension SyncEngine {
  /// The row of an entity, its local changes included; `nil` if there is none.
  ///
  /// - Throws: ``SyncError`` if the store fails, or the engine was stopped or is being erased.
  public func entity(_ key: EntityKey) throws -> SyncEntity? {
    try checkRunning()
    return try withStore { try $0.entity(key) }
  }

  /// The rows of a kind in the order of their ids, local changes included.
  ///
  /// - Throws: ``SyncError`` if the store fails, or the engine was stopped or is being erased.
  public func entities(of kind: String) throws -> [SyncEntity] {
    try checkRunning()
    return try withStore { try $0.entities(of: kind) }
  }

  /// The rows of a kind that fit, in the order of their ids: those of now, and again whenever they have changed.
  ///
  /// ```swift
  /// for try await rows in await engine.rows(of: "note", where: { $0.members["done"] != true }) {
  ///   show(try rows.map { try $0.decode(Note.self) })
  /// }
  /// ```
  ///
  /// Rows are read when the reader asks for them: who is slow gets the newest only, and the same rows come only once.
  /// The stream retains neither the engine nor its files. It ends when the engine is released, stopped or erased, and
  /// with ``SyncError`` when the store fails.
  ///
  /// - Parameters:
  ///   - kind: The name of the kind.
  ///   - isIncluded: Whether a row fits; called within the engine, so it should be quick.
  public func rows(
    of kind: String, where isIncluded: @escaping @Sendable (SyncEntity) -> Bool = { _ in true }
  ) -> AsyncThrowingStream<[SyncEntity], any Error> {
    guard !isStopped, !isErasing else { return AsyncThrowingStream { $0.finish() } }
    let tasks = environment.tasks
    let changes = rowObservers[kind, default: SyncBroadcast(keeping: 1)].stream(from: ()) {
      [weak self] number in
      _ = tasks.start { [weak self] in await self?.removeRowObserver(number, of: kind) }
    }
    let last = Locked<[SyncEntity]?>(nil)
    return AsyncThrowingStream { [weak self] in
      for await _ in changes {
        guard let rows = try await self?.rowsNow(of: kind, where: isIncluded) else { return nil }
        let isNew = last.withLock { last in
          defer { last = rows }
          return last != rows
        }
        if isNew { return rows }
      }
      return nil
    }
  }

  /// The rows that fit; `nil` where a stream ends.
  private func rowsNow(of kind: String, where isIncluded: (SyncEntity) -> Bool) throws -> [SyncEntity]? {
    isStopped || isErasing ? nil : try entities(of: kind).filter(isIncluded)
  }

  private func removeRowObserver(_ number: Int, of kind: String) { rowObservers[kind]?.remove(number) }

  /// Tells the readers of rows that those of these kinds may have changed, and with them the rows linked to them.
  func rowsChanged(of kinds: Set<String>) {
    let linked = environment.domain.kinds.filter { $0.link.map { kinds.contains($0.kind) } ?? false }
    for kind in kinds.union(linked.map(\.name)) { rowObservers[kind]?.send(()) }
  }

  /// Tells all readers of rows that any row may have changed.
  func anyRowChanged() {
    for observer in rowObservers.values { observer.send(()) }
  }

  /// Ends all streams of rows.
  func finishRows() {
    for observer in rowObservers.values { observer.finish() }
  }
}
