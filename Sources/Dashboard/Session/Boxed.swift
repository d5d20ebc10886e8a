/// A large value behind a reference: a copy of it costs one retain until one of the copies changes.
///
/// Views hold the whole model. With its parts stored inline, a third of the module's code copied, moved and destroyed
/// them.
@propertyWrapper
package struct Boxed<Value: Sendable>: Sendable {
  // Changed only where it is uniquely referenced, so that nobody else can see the change.
  private final class Storage: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  private var storage: Storage

  package init(wrappedValue: Value) { storage = Storage(wrappedValue) }

  package var wrappedValue: Value {
    get { storage.value }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
      yield &storage.value
    }
  }

  /// The box itself, for whoever shares it.
  package var projectedValue: Self { self }
}
