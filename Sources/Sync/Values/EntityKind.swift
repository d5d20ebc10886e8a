/// Facts the engine needs to know of one kind of entity: kinds are data, not types.
///
/// ```swift
/// let note = EntityKind(name: "note", rank: 1, batchSize: 50, link: .init(member: "folderId", kind: "folder"))
/// ```
public struct EntityKind: Hashable, Sendable {
  /// A member that names an entity of another kind.
  public struct Link: Hashable, Sendable {
    /// The member that holds the other entity's id.
    package let member: String
    /// The name of the other entity's kind.
    package let kind: String

    /// A link by `member` to an entity of `kind`.
    public init(member: String, kind: String) {
      self.member = member
      self.kind = kind
    }
  }

  /// The name on the wire and in the record, for instance `eventType`.
  public let name: String
  /// Creates are pushed in ascending, deletes in descending order of ranks: what others depend on has the lower one.
  package let rank: Int
  /// How many changes go in one request; 1 sends each by itself.
  package let batchSize: Int
  /// Which operations go together, where more than one change goes in a request.
  package let batched: Set<Mutation.Operation>
  /// About how many bytes go in one request; one change goes in any case.
  package let batchBytes: Int
  /// How many entities are fetched at once during a bootstrap.
  package let bootstrapPage: Int
  /// The kind whose every entity has to be asked for its own ones during a bootstrap, or `nil` where one list has all.
  package let fetchedPer: String?
  /// The link of the entity, or `nil`.
  package let link: Link?
  /// The members by which the server recognizes an entity under another id.
  package let naturalKey: [String]

  /// Describes a kind.
  ///
  /// - Parameters:
  ///   - name: The name on the wire.
  ///   - rank: The place in the order of dependencies.
  ///   - batchSize: Changes in one request; at least 1.
  ///   - batched: The operations that go together.
  ///   - batchBytes: About how many bytes go in one request.
  ///   - bootstrapPage: Entities in one page of a bootstrap; at least 1.
  ///   - fetchedPer: The kind that is asked one by one during a bootstrap.
  ///   - link: What the entity is linked to.
  ///   - naturalKey: Members that together identify an entity.
  public init(
    name: String, rank: Int, batchSize: Int = 1, batched: Set<Mutation.Operation> = [.create],
    batchBytes: Int = 1 << 20, bootstrapPage: Int = 50, fetchedPer: String? = nil, link: Link? = nil,
    naturalKey: [String] = []
  ) {
    self.name = name
    self.rank = rank
    self.batchSize = max(1, batchSize)
    self.batched = batched
    self.batchBytes = max(1, batchBytes)
    self.bootstrapPage = max(1, bootstrapPage)
    self.fetchedPer = fetchedPer
    self.link = link
    self.naturalKey = naturalKey
  }
}

extension EntityKind {
  /// True if several changes of that sort go in one request.
  func isBatched(_ operation: Mutation.Operation) -> Bool { batchSize > 1 && batched.contains(operation) }
}

/// All kinds that an engine keeps in sync.
public struct SyncDomain: Hashable, Sendable {
  /// The kinds in the order in which a bootstrap fetches them.
  package let kinds: [EntityKind]

  /// A domain of these kinds; of two with one name the first counts.
  public init(kinds: [EntityKind]) {
    self.kinds = kinds
  }

  /// The entity that a row names by the member of its kind's ``EntityKind/Link``, linked to it or not.
  ///
  /// - Returns: `nil` where the kind has no link, and where that member is not text.
  public func target(of row: SyncEntity) -> EntityKey? { target(of: row.key.kind, members: row.members) }

  /// The same of an entity of `kind` with these members.
  package func target(of kind: String, members: [String: SyncValue]) -> EntityKey? {
    guard let link = self[kind]?.link, case .string(let id) = members[link.member] else { return nil }
    return EntityKey(kind: link.kind, id: id)
  }

  /// The kind of that name, or `nil` for one that this app does not know.
  package subscript(name: String) -> EntityKind? {
    kinds.first { $0.name == name }
  }

  /// The four kinds of the simulations and tests: event types, geofences, events, property definitions.
  package static let sample = SyncDomain(kinds: [
    EntityKind(name: "eventType", rank: 0, naturalKey: ["name"]),
    EntityKind(name: "geofence", rank: 0, naturalKey: ["name"]),
    EntityKind(name: "event", rank: 2, batchSize: 50, link: .init(member: "eventTypeId", kind: "eventType")),
    EntityKind(
      name: "propertyDefinition", rank: 1, fetchedPer: "eventType",
      link: .init(member: "eventTypeId", kind: "eventType"), naturalKey: ["eventTypeId", "key"]),
  ])
}
