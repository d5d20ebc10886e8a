/// Known facts about the server's entity beneath the local changes of a row.
///
/// A store keeps it with the row, as it is: for SQLite as its JSON, say. JSON does not tell 2.0 from 2.
public struct ServerBasis: Hashable, Sendable, Codable {
  /// How many versions of our own are remembered.
  private static let ownLimit = 8

  /// The version that the server named last; `nil` where it names none, or is not known to have the entity.
  public private(set) var version: String?
  /// The server's members while local changes lie over them; `nil` where none do, or where the server is not known to
  /// have the entity.
  package var members: [String: SyncValue]?
  /// Versions that answers to our own changes named: in the feed they are no news.
  private var own: [String]
  /// True if the feed still has to deliver our delete of an entity that was created again since.
  package var awaitsDelete: Bool
  /// True if the row exists only locally with nothing pending, because its create was cleared.
  package var isLocalOnly: Bool

  /// Nothing is known but, perhaps, a version.
  public init(version: String? = nil) {
    self.version = version
    members = nil
    own = []
    awaitsDelete = false
    isLocalOnly = false
  }

  package init(
    version: String?, members: [String: SyncValue]?, own: [String], awaitsDelete: Bool, isLocalOnly: Bool
  ) {
    (self.version, self.members, self.own) = (version, members, own)
    (self.awaitsDelete, self.isLocalOnly) = (awaitsDelete, isLocalOnly)
  }

  /// The versions of our own that are remembered, oldest first.
  package var ownVersions: [String] { own }

  /// Takes over the version that the server names; one that names none says nothing of it.
  package mutating func note(version: String?, isOwn: Bool = false) {
    guard let version else { return }
    self.version = version
    if isOwn, !own.contains(version) { own = own.suffix(Self.ownLimit - 1) + [version] }
  }

  /// True if a version is of our own making.
  package func isOwn(_ version: String?) -> Bool { version.map { own.contains($0) } ?? false }

  /// True if a version of our own is known to be no newer than what is here.
  package func isPast(_ version: String?) -> Bool {
    guard let version, let place = own.firstIndex(of: version) else { return false }
    return self.version == version
      || self.version.flatMap { own.lastIndex(of: $0) }.map { $0 > place } ?? false
  }
}
