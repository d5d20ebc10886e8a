extension ClientCore {
  /// Works without the folder, because another client uses it: all is kept in memory, and the stored ids are only read.
  package mutating func leaveFolder(_ path: String) {
    folderInUse = path
    let stored = IdentityStorage(environment.openValues(options), namespace: options.storageNamespace)
    let fields = IdentityStorage.Field.allCases.compactMap { field in
      stored[field].map { (stored.key(field), $0) }
    }
    let values = InMemoryKeyValues(Dictionary(fields) { _, last in last })
    let (marks, refused) = (InMemoryKeyValues(), InMemoryKeyValues())
    environment.openValues = { _ in values }
    environment.openMarks = { _ in marks }
    environment.openRefused = { _ in refused }
    environment.original = { _ in nil }
  }

  /// Reports that the folder is another client's.
  mutating func reportFolder(_ path: String) {
    let error = DeliveryError(
      .folderInUse,
      "Another process, or another client, uses \(path): events are kept in memory alone and end with the process. "
        + "Give each client a dataFolder or a storageNamespace of its own.")
    log(.error, error.message)
    effects.append(.report(error))
  }
}
