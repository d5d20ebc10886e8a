/// A large value behind a reference: a copy of it costs one retain until one of the copies changes.
///
/// Every view holds the whole model. Stored inline, its parts made a third of the module's code: copies, moves and
/// destructors.
@propertyWrapper
package struct Boxed<Value: Sendable>: Sendable {
  // Unchecked: the value changes only while its storage is uniquely referenced, so no other thread can see it change.
  private final class Storage: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  private var storage: Storage

  package init(wrappedValue: Value) { storage = Storage(wrappedValue) }

  package var wrappedValue: Value {
    // Borrowed: a getter would copy the whole value for each of its members that is read.
    _read { yield storage.value }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
      yield &storage.value
    }
  }

  /// The box itself, which can be shared without a copy of the value.
  package var projectedValue: Self { self }
}
