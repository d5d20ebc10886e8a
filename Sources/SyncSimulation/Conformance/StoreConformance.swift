public import Sync

/// Checks that a store fulfills the contract of ``SyncStore``; for the tests of apps that keep rows in their own
/// database.
///
/// ```swift
/// @Test func `The store keeps what the engine relies on`() throws {
///   #expect(try StoreConformance.check(MyStoreFactory(file: file), domain: .notes) == [])
/// }
/// ```
///
/// A random sequence of calls, reproducible by seed, goes to the store and to a model made of plain lists; after each
/// call both must return the same. The calls include saving, reopening the store, and rolling back. The values are
/// those that servers and people may produce: empty ids, ids that differ only in their bytes, the limits of integers,
/// nesting, control characters, dates in the distant past.
///
/// Differences between formats are not checked: fractional numbers must be preserved, but stores need not distinguish
/// 2.0 from 2 (JSON does not), and non-finite numbers never occur.
public enum StoreConformance {
  /// Finds violations of the store contract.
  ///
  /// One handle is open at a time. The final content stays in the store.
  ///
  /// - Parameters:
  ///   - factory: Opens the stores; the first one must be empty.
  ///   - domain: The kinds that the store was created for; with several kinds and links, more is checked.
  ///   - seed: Determines the sequence.
  ///   - steps: Number of calls.
  /// - Returns: The violations found by the first call with any, each described by the broken promise; empty if there
  ///   are none.
  /// - Throws: The factory's error at the first opening.
  public static func check(
    _ factory: any SyncStoreFactory, domain: SyncDomain, seed: UInt64 = 1, steps: Int = 2000
  ) throws -> [String] {
    var trial = StoreTrial(try factory.makeStore(), of: factory, domain: domain, seed: seed)
    var violations = trial.compareAll().map { "a new store is empty: " + $0 }
    var step = 0
    while violations.isEmpty, step < steps {
      step += 1
      violations = trial.takeStep().map { $0 + " (step \(step) of seed \(seed), \(trial.lastStep))" }
    }
    return violations
  }
}
