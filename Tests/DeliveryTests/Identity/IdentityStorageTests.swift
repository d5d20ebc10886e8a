import DeliveryCore
import Foundation
import Platform
import TestSupport
import Testing

@Suite("Identity")
struct IdentityStorageTests {
  /// A storage that cannot be written.
  private struct ReadOnly: KeyValueStorage {
    func value(_ key: String) -> String? { nil }
    func set(_ value: String?, for key: String) throws(StorageFailure) { throw StorageFailure("read-only") }
  }

  private static let id = "910a2dec-8902-4cc1-beeb-8da1658eec67"

  @Test("B-34: first initialization creates and stores a lower-case UUID")
  func creation() {
    let values = InMemoryKeyValues()
    let (identity, failure) = Self.identity(of: values)
    #expect(identity == Identity(anonymousID: Self.id))
    #expect(failure == nil)
    #expect(values.all == ["metarouter:anonymous_id": Self.id])
    #expect(
      UUIDText.isValid(identity.anonymousID) && identity.anonymousID == identity.anonymousID.lowercased())
  }

  @Test("B-35: stored anonymous, user and group ids are loaded at start")
  func loading() throws {
    let values = InMemoryKeyValues([
      "metarouter:anonymous_id": "a", "metarouter:user_id": "u", "metarouter:group_id": "g",
    ])
    #expect(Self.identity(of: values).identity == Identity(anonymousID: "a", userID: "u", groupID: "g"))
    #expect(IdentityStorage(values).load() == ("a", "u", "g", nil))
    #expect(values.all.count == 3)
  }

  @Test("B-36: a user or group id overwrites the previous one, and leaves the others alone")
  func overwriting() throws {
    let values = InMemoryKeyValues(["metarouter:anonymous_id": "a"])
    let storage = IdentityStorage(values)
    for id in ["1", "2"] {
      try storage.set("u" + id, .userID)
      try storage.set("g" + id, .groupID)
    }
    #expect(storage.load() == ("a", "u2", "g2", nil))
    try storage.set(nil, .userID)
    #expect(storage.load() == ("a", nil, "g2", nil))
  }

  @Test("B-37: initializing again keeps the anonymous id")
  func again() {
    let values = InMemoryKeyValues()
    let first = Self.identity(of: values, seed: 1).identity
    #expect(Self.identity(of: values, seed: 2).identity == first)
  }

  @Test("B-38: wiping removes all ids and keeps version and build; the next anonymous id is a new one")
  func wiping() throws {
    let values = InMemoryKeyValues()
    let storage = IdentityStorage(values)
    let first = Self.identity(of: values, seed: 1).identity
    try storage.set("u", .userID)
    try storage.set("g", .groupID)
    try storage.set(Self.id, .advertisingID)
    try storage.setApp(version: "1.0", build: "7")
    #expect(storage.hasIdentity)
    try storage.wipe()
    #expect(!storage.hasIdentity)
    #expect(values.all == ["metarouter:app_version": "1.0", "metarouter:app_build": "7"])
    #expect(storage.app == ("1.0", "7"))
    let second = Self.identity(of: values, seed: 2).identity
    #expect(second == Identity(anonymousID: second.anonymousID))
    #expect(second.anonymousID != first.anonymousID)
    try storage.wipe()
  }

  @Test("B-39: identity is shared by a later instance over the same storage")
  func sharing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("of/its/own/identity.json")
    let storage = IdentityStorage(FileKeyValues(path: path))
    var generator = SeededGenerator(seed: 1)
    let first = storage.identity(using: &generator).identity
    try storage.set("u", .userID)
    try storage.setApp(version: "1", build: "2")
    let later = IdentityStorage(FileKeyValues(path: path))
    #expect(
      later.identity(using: &generator).identity == Identity(anonymousID: first.anonymousID, userID: "u"))
    #expect(later.app == ("1", "2"))
    #expect(Posix.status(at: path).map { $0.permissions & 0o777 } == 0o600)
    try later.wipe()
    #expect(!IdentityStorage(FileKeyValues(path: path)).hasIdentity)
    #expect(try Posix.names(in: folder.path("of/its/own")) == ["identity.json"])
  }

  @Test(
    "B-40: Unicode, special characters and very long ids survive storage",
    arguments: [
      "é", "e\u{301}", "🇩🇪👨‍👩‍👧‍👦", "\"\\/\u{0}\u{1F}\n\t", "a:b=c;d", "\u{FFFE}\u{2028}",
      String(repeating: "äx", count: 100_000),
    ])
  func unusual(id: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("identity.json")
    try IdentityStorage(FileKeyValues(path: path), namespace: id).set(id, .userID)
    let stored = IdentityStorage(FileKeyValues(path: path), namespace: id)[.userID]
    #expect(stored.map { Array($0.utf8) } == Array(id.utf8))
  }

  @Test("Two spellings of a letter are two ids")
  func spellings() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("identity.json")
    let storage = IdentityStorage(FileKeyValues(path: path))
    try storage.set("\u{E9}", .userID)
    try storage.set("e\u{301}", .userID)
    #expect(IdentityStorage(FileKeyValues(path: path))[.userID]?.utf8.count == 3)
  }

  @Test("B-41: the four storage keys are exactly as specified")
  func keys() {
    let storage = IdentityStorage(InMemoryKeyValues())
    #expect(
      IdentityStorage.Field.allCases.map(storage.key) == [
        "metarouter:anonymous_id", "metarouter:user_id", "metarouter:group_id", "metarouter:advertising_id",
        "metarouter:app_version", "metarouter:app_build",
      ])
    #expect(IdentityStorage(InMemoryKeyValues(), namespace: "shop").key(.userID) == "shop:user_id")
  }

  @Test("B-43: clearing the advertising id twice is harmless and touches no other id")
  func clearing() throws {
    let values = InMemoryKeyValues(["metarouter:anonymous_id": "a", "metarouter:user_id": "u"])
    let storage = IdentityStorage(values)
    try storage.set(Self.id, .advertisingID)
    try storage.set(nil, .advertisingID)
    try storage.set(nil, .advertisingID)
    #expect(storage.load() == ("a", "u", nil, nil))
  }

  @Test("B-44: the advertising id is restored at start and removed by a wipe")
  func advertisingID() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("identity.json")
    try IdentityStorage(FileKeyValues(path: path)).set(Self.id, .advertisingID)
    let values = FileKeyValues(path: path)
    #expect(Self.identity(of: values).identity.advertisingID == Self.id)
    try IdentityStorage(values).wipe()
    #expect(IdentityStorage(FileKeyValues(path: path))[.advertisingID] == nil)
  }

  @Test("A blank stored id counts as none", arguments: ["", " \n"])
  func blank(id: String) {
    let values = InMemoryKeyValues(["metarouter:anonymous_id": id, "metarouter:user_id": id])
    #expect(!IdentityStorage(values).hasIdentity)
    #expect(Self.identity(of: values).identity == Identity(anonymousID: Self.id))
    #expect(values.value("metarouter:anonymous_id") == Self.id)
  }

  @Test("A storage that cannot be written still gives an id, with the reason")
  func failure() {
    let (identity, failure) = Self.identity(of: ReadOnly())
    #expect(identity.anonymousID == Self.id)
    #expect(failure == StorageFailure("read-only"))
    #expect(throws: StorageFailure.self) { try IdentityStorage(ReadOnly()).wipe() }
    let unwritable = FileKeyValues(path: "/dev/null/identity.json")
    #expect(throws: StorageFailure.self) { try unwritable.set("u", for: "user") }
    #expect(unwritable.value("user") == nil)
  }

  @Test("A file that cannot be read counts as empty, and says so", arguments: ["", "{", "[]", #"{"a":7}"#])
  func unreadable(content: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(content, to: "identity.json")
    let values = FileKeyValues(path: path)
    #expect(values.unreadable != nil && IdentityStorage(values).isDamaged)
    #expect(Self.identity(of: values).identity == Identity(anonymousID: Self.id))
    #expect(FileKeyValues(path: path).value("metarouter:anonymous_id") == Self.id)
    #expect(try String(contentsOfFile: path + ".damaged", encoding: .utf8) == content)
    #expect(FileKeyValues(path: folder.path("missing.json")).unreadable == nil)
  }

  private static func identity(
    of storage: any KeyValueStorage, seed: UInt64 = 1
  ) -> (identity: Identity, failure: StorageFailure?) {
    var generator = SeededGenerator(seed: seed)
    return IdentityStorage(storage).identity(using: &generator)
  }

  @Test("The identity of the original library is taken over once, and not again after a reset")
  func original() throws {
    let original = [
      "metarouter:anonymous_id": "old-anonymous", "metarouter:user_id": "ada",
      "metarouter:lifecycle:version": "2.1",
    ]
    let values = InMemoryKeyValues()
    let storage = IdentityStorage(values)
    try storage.adopt { original[$0] }
    #expect(storage.load() == ("old-anonymous", "ada", nil, nil) && storage.app == ("2.1", nil))
    try storage.wipe()
    try storage.adopt { original[$0] }
    #expect(!storage.hasIdentity && storage.app == ("2.1", nil))
  }

  @Test("An identity of its own is not replaced by the original library's")
  func ownIdentity() throws {
    let storage = IdentityStorage(InMemoryKeyValues(["metarouter:anonymous_id": "mine"]))
    try storage.adopt { _ in "theirs" }
    #expect(storage.load() == ("mine", nil, nil, nil))
  }
}
