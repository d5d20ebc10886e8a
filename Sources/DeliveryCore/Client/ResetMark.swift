/// The note of an unfinished reset; the next start finishes it before anything else.
///
/// It is written before `reset` returns, so that nothing of the previous user is left even if the process ends there.
struct ResetMark {
  private let values: any KeyValueStorage
  private let key: String

  init(_ environment: DeliveryEnvironment, _ options: InitOptions) {
    values = environment.openMarks(options)
    key = "\(options.storageNamespace):reset_pending"
  }

  var isSet: Bool { values.value(key) != nil }

  func set() throws(StorageFailure) { try values.set("1", for: key) }

  func clear() throws(StorageFailure) { try values.set(nil, for: key) }
}
