public import Sync

/// Checks that a backend fulfills the contract of ``SyncBackend``; for an app's tests, against a dedicated account.
///
/// ```swift
/// @Test func `The backend does what the engine relies on`() async throws {
///   let backend = MyBackend(session: try await makeTestAccount())
///   let violations = try await BackendConformance.check(backend, domain: .notes, kind: "note") {
///     ["title": .string("Note \($0)"), "text": "…"]
///   }
///   #expect(violations == [])
/// }
/// ```
///
/// The check creates and changes about twenty entities with new ids; no one else may change the account meanwhile.
/// Two of the entities are deleted again, the others stay on the server.
public enum BackendConformance {
  /// Finds violations of the backend contract.
  ///
  /// - Parameters:
  ///   - backend: The backend, with an account that has no entities of the kind yet.
  ///   - domain: The kinds.
  ///   - kind: The name of the kind to create; if it is batched, batches are checked too.
  ///   - makeMembers: Returns the members of the numbered entity: values that the server accepts, a different natural
  ///     key for each number, and the owner if the kind is listed per owner.
  /// - Returns: The violations, each described by the broken promise; empty if there are none.
  /// - Throws: ``SyncError`` if the domain has no such kind, and errors of the backend's first reads.
  public static func check(
    _ backend: any SyncBackend, domain: SyncDomain, kind: String,
    makeMembers: @Sendable (Int) -> [String: SyncValue]
  ) async throws -> [String] {
    guard let kind = domain[kind] else { throw SyncError(.other, detail: "the domain has no kind \(kind)") }
    try await backend.probe()
    let start = try await backend.latestCursor()
    return await withoutActuallyEscaping(makeMembers) { makeMembers in
      var trial = BackendTrial(backend, kind: kind, start: start, makeMembers: makeMembers)
      await trial.checkStart()
      await trial.checkCreate()
      await trial.checkUpdate()
      await trial.checkVersions()
      await trial.checkDuplicate()
      await trial.checkMissing()
      await trial.checkBatch()
      await trial.checkPaging()
      await trial.checkDelete()
      return trial.violations
    }
  }
}
