/// The relation between changes and entities in a `sync-worker`, shared by the worker and the test that checks it.
package enum SyncWork {
  /// The number of the entity, which is that of the change that created it.
  ///
  /// The first `updates` changes concern the first entity; after those, every fourth change updates the entity of the
  /// previous one.
  package static func entity(ofChange number: Int, updates: Int) -> Int {
    if number <= updates { return 0 }
    return number % 4 == 3 ? number - 1 : number
  }
}
