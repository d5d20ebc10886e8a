public import Essentials

/// A local and a remote change that disagree about one entity.
public struct SyncConflict: Hashable, Sendable {
  /// The way the two changes met.
  public enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
    /// The feed contains an edit of an entity that is edited or deleted locally.
    case remoteEdit
    /// The feed contains a delete of an entity that is edited locally.
    case remoteDelete
    /// The server refused an edit because its version differs from the one that the edit is based on.
    case refusedEdit
    /// The server refused a delete for the same reason.
    case refusedDelete
    /// The server refused a create: it has another entity under that id, or an equivalent one under another id (then
    /// the resolver is not asked and the local entity is removed).
    case duplicate
  }

  /// The entity.
  public let entity: EntityKey
  /// The way the two changes met.
  public let cause: Cause
  /// The local values of the members that both sides set to different values; `nil` if the entity is deleted locally.
  public let local: [String: SyncValue]?
  /// The server's values of the same members, with null for cleared ones; all members if the entity is deleted locally;
  /// `nil` if it is deleted on the server.
  public let remote: [String: SyncValue]?
  /// The values of the same members before both changes.
  public let base: [String: SyncValue]
  /// The time of the last local edit, by the wall clock; corrected if the feed shows that the clock is wrong by more
  /// than a month.
  public let editedAt: Date
  /// The time of the remote change, by the server's clock; `nil` if the server does not send it.
  public let remoteTime: Date?

  /// Creates a conflict, for tests of a resolver.
  public init(
    entity: EntityKey, cause: Cause, local: [String: SyncValue]?, remote: [String: SyncValue]?,
    base: [String: SyncValue] = [:], editedAt: Date, remoteTime: Date? = nil
  ) {
    self.entity = entity
    self.cause = cause
    self.local = local
    self.remote = remote
    self.base = base
    self.editedAt = editedAt
    self.remoteTime = remoteTime
  }
}

/// The resolution of a conflict.
public enum ConflictResolution: Hashable, Sendable {
  /// Push the local values again, over the server's; an entity deleted on the server is created again.
  case keepLocal
  /// Discard the local values.
  case takeRemote
  /// Set these values instead, locally and on the server.
  case merge([String: SyncValue])
}

/// The app's policy for conflicts.
///
/// It is called inside a transaction, may be called again if the transaction is retried, and must not block.
///
/// ```swift
/// struct LongerTextWins: ConflictResolver {
///   func resolve(_ conflict: SyncConflict) -> ConflictResolution {
///     guard case .string(let mine) = conflict.local?["text"], case .string(let theirs) = conflict.remote?["text"]
///     else { return LocalMembersWin().resolve(conflict) }
///     return mine.count >= theirs.count ? .keepLocal : .takeRemote
///   }
/// }
/// ```
public protocol ConflictResolver: Sendable {
  /// The resolution of a conflict.
  func resolve(_ conflict: SyncConflict) -> ConflictResolution
}

/// Local members win; a remote delete wins over an edit that is older or of unknown age.
public struct LocalMembersWin: ConflictResolver {
  /// Creates the default resolver.
  public init() {}

  /// Resolves a conflict.
  public func resolve(_ conflict: SyncConflict) -> ConflictResolution {
    guard conflict.cause == .remoteDelete else { return .keepLocal }
    return conflict.remoteTime.map { conflict.editedAt > $0 } ?? false ? .keepLocal : .takeRemote
  }
}

/// A conflict with its resolution.
struct ResolvedConflict: Hashable, Sendable {
  let conflict: SyncConflict
  let resolution: ConflictResolution
}
