public import Sync

/// True if a store keeps the promises of ``SyncStore``: for the tests of an app that keeps its rows in a database of its
/// own.
///
/// ```swift
/// @Test func `The store keeps what the engine relies on`() throws {
///   #expect(try StoreConformance.check(MyStoreFactory(file: file), domain: .notes) == [])
/// }
/// ```
///
/// A random sequence of calls, the same for the same seed, goes to the store and to a model that consists of plain
/// lists; after each call both have to tell the same. Among the calls are saving, dropping the handle and opening a new
/// one, and rolling back. The values are those that a server and a person can come up with: empty ids, ids that differ in
/// their bytes alone, the limits of integers, nesting, control characters, dates of long ago.
///
/// Not asked for is what differs between formats: numbers with a fraction come back as such, but whether 2.0 is told from
/// 2 is the store's affair (JSON does not), and numbers that are not finite never occur.
public enum StoreConformance {
  /// Looks for promises that stores do not keep.
  ///
  /// One handle is open at a time. What the store holds in the end is left there.
  ///
  /// - Parameters:
  ///   - factory: Opens the stores, the first time with nothing in it.
  ///   - domain: The kinds that the store was made for; without links and several kinds less is looked at.
  ///   - seed: Chooses the sequence.
  ///   - steps: How many calls are made.
  /// - Returns: What the first call showed that showed something, each promise in words; empty when all were kept.
  /// - Throws: What the factory throws at the first opening.
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
