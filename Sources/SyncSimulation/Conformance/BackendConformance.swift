public import Sync

/// True if a backend keeps the promises of ``SyncBackend``: for the tests of an app, against an account of its own.
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
/// It makes about twenty entities under new ids and changes them; nobody else may do so meanwhile. Two of them are deleted
/// again, the others stay on the server.
public enum BackendConformance {
  /// Looks for promises that a backend does not keep.
  ///
  /// - Parameters:
  ///   - backend: The backend, of an account in which there is nothing yet of the kind.
  ///   - domain: The kinds.
  ///   - kind: The name of the kind that is made; where it goes in batches, these are looked at too.
  ///   - makeMembers: The members of the entity of that number: what the server takes, another natural key for each number,
  ///     and the owner where the kind is listed per owner.
  /// - Returns: What was found, each promise in words; empty when all were kept.
  /// - Throws: ``SyncError`` when the domain has no such kind, and what the first reads of the backend throw.
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
