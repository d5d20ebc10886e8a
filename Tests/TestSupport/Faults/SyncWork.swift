/// Which change of a `sync-worker` concerns which entity: the worker changes, the test judges.
package enum SyncWork {
  /// The number of the entity, which is that of the change that made it.
  ///
  /// The first entity is changed `updates` times at once; after that every fourth change is an update of the one before.
  package static func entity(ofChange number: Int, updates: Int) -> Int {
    if number <= updates { return 0 }
    return number % 4 == 3 ? number - 1 : number
  }
}
