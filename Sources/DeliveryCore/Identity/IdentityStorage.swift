import Platform

/// The stored identity of the user, and the app version of the last run.
package struct IdentityStorage: Sendable {
  /// A stored field; the raw value is its key after the namespace.
  package enum Field: String, Sendable, Hashable, CaseIterable {
    case anonymousID = "anonymous_id"
    case userID = "user_id"
    case groupID = "group_id"
    case advertisingID = "advertising_id"
    /// The version and build of the last run, which are not part of the identity.
    case appVersion = "app_version"
    case appBuild = "app_build"
  }

  private let storage: any KeyValueStorage
  private let namespace: String

  package init(_ storage: any KeyValueStorage, namespace: String = "metarouter") {
    self.storage = storage
    self.namespace = namespace
  }

  /// True if stored values were lost.
  package var isDamaged: Bool { if case .damaged = storage.unreadable { true } else { false } }

  /// The key of a field.
  package func key(_ field: Field) -> String { "\(namespace):\(field.rawValue)" }

  /// The stored value; a blank one counts as missing.
  package subscript(_ field: Field) -> String? {
    storage.value(key(field)).flatMap { $0.isBlank ? nil : $0 }
  }

  /// Stores a field; `nil` removes it.
  package func set(_ value: String?, _ field: Field) throws(StorageFailure) {
    try storage.set(value, for: key(field))
  }
}

// MARK: Identity

extension IdentityStorage {
  /// All stored ids.
  package func load() -> (anonymousID: String?, userID: String?, groupID: String?, advertisingID: String?) {
    (self[.anonymousID], self[.userID], self[.groupID], self[.advertisingID])
  }

  /// True if any id is stored: the app has run before.
  package var hasIdentity: Bool {
    self[.anonymousID] != nil || self[.userID] != nil || self[.groupID] != nil || self[.advertisingID] != nil
  }

  /// The stored identity, with a new anonymous id if there is none.
  ///
  /// - Returns: The identity, and the failure if the new id could not be stored: it then lasts for this process.
  package func identity(
    using generator: inout some RandomNumberGenerator
  ) -> (identity: Identity, failure: StorageFailure?) {
    let stored = load()
    let anonymousID = stored.anonymousID ?? UUIDText.make(using: &generator)
    let identity = Identity(
      anonymousID: anonymousID, userID: stored.userID, groupID: stored.groupID,
      advertisingID: stored.advertisingID)
    guard stored.anonymousID == nil else { return (identity, nil) }
    do {
      try set(anonymousID, .anonymousID)
      return (identity, nil)
    } catch {
      return (identity, error)
    }
  }

  /// Removes all ids; version and build stay.
  package func wipe() throws(StorageFailure) {
    try storage.update([
      key(.userID): nil, key(.groupID): nil, key(.advertisingID): nil, key(.anonymousID): nil,
    ])
  }
}

// MARK: The original library

extension IdentityStorage {
  /// Takes over what the original library stored, once: a user keeps the id when an app changes to this library.
  ///
  /// The names are those of MetaRouter's SDK for iOS (its `IdentityStorageKey` and `LifecycleStorageKey`).
  ///
  /// - Parameter original: The original's value for a name.
  package func adopt(_ original: (String) -> String?) throws(StorageFailure) {
    let adopted = "\(namespace):adopted"
    guard storage.value(adopted) == nil, !hasIdentity, let id = original("metarouter:anonymous_id") else {
      return
    }
    try storage.update([
      key(.anonymousID): id, key(.userID): original("metarouter:user_id"),
      key(.groupID): original("metarouter:group_id"),
      key(.advertisingID): original("metarouter:advertising_id"),
      key(.appVersion): original("metarouter:lifecycle:version"),
      key(.appBuild): original("metarouter:lifecycle:build"), adopted: "1",
    ])
  }
}

// MARK: The app

extension IdentityStorage {
  /// The stored version and build.
  package var app: (version: String?, build: String?) { (self[.appVersion], self[.appBuild]) }

  /// Stores the current version and build.
  package func setApp(version: String, build: String) throws(StorageFailure) {
    try storage.update([key(.appVersion): version, key(.appBuild): build])
  }
}
