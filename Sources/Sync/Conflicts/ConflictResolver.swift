public import Essentials

/// A local change and a remote one that want different things of one entity.
public struct SyncConflict: Hashable, Sendable {
  /// How the two met.
  public enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
    /// The feed brought an edit of what is edited, or deleted, here.
    case remoteEdit
    /// The feed brought the end of what is edited here.
    case remoteDelete
    /// The server refused an edit: it has another version than the one that the edit was made on.
    case refusedEdit
    /// The server refused a delete for the same reason.
    case refusedDelete
    /// The server refused a create: it has another entity under that id, or one like it under another id (then nobody is
    /// asked, and the local one goes).
    case duplicate
  }

  /// The entity.
  public let entity: EntityKey
  /// How the two met.
  public let cause: Cause
  /// The members that both sides set, each to another value, as they are here; `nil` where it is deleted here.
  public let local: [String: SyncValue]?
  /// The same members as the server has them, cleared ones as null; all of them where it is deleted here; `nil` where it
  /// is deleted there.
  public let remote: [String: SyncValue]?
  /// The same members as they were before both.
  public let base: [String: SyncValue]
  /// When it was edited here last, by the wall clock.
  public let editedAt: Date
  /// When it was changed there, by the server's clock; `nil` where the server does not say.
  public let remoteTime: Date?

  /// A conflict, as for the tests of a resolver.
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
  /// The local values are pushed again, over the server's; what was deleted there is created again.
  case keepLocal
  /// The local values are abandoned.
  case takeRemote
  /// These values are set instead, here and on the server.
  case merge([String: SyncValue])
}

/// Decides conflicts: the app's to say.
///
/// It is asked inside of a transaction, may be asked again when that has to be repeated, and must not wait for anything.
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

/// Local members win; a remote delete wins over an edit that is older, or of which no one knows whether it is.
public struct LocalMembersWin: ConflictResolver {
  /// The resolver of an environment that names none.
  public init() {}

  /// The resolution of a conflict.
  public func resolve(_ conflict: SyncConflict) -> ConflictResolution {
    guard conflict.cause == .remoteDelete else { return .keepLocal }
    return conflict.remoteTime.map { conflict.editedAt > $0 } ?? false ? .keepLocal : .takeRemote
  }
}

/// A conflict with what became of it.
struct ResolvedConflict: Hashable, Sendable {
  /// The conflict.
  let conflict: SyncConflict
  /// The resolution.
  let resolution: ConflictResolution
}
