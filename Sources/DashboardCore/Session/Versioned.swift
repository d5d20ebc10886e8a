/// A value that gets a new version each time it is set.
///
/// The key of a ``Derived`` holds the version, `$value`, where comparing the values themselves would take too long.
@propertyWrapper
package struct Versioned<Value: Sendable>: Sendable {
  package var wrappedValue: Value {
    didSet { projectedValue = projectedValue.next }
  }
  /// The version of the value.
  package private(set) var projectedValue = ValueVersion()

  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// Distinguishes the versions of one ``Versioned`` value.
package struct ValueVersion: Hashable, Sendable {
  private let number: Int

  package init() { self.init(number: 0) }
  private init(number: Int) { self.number = number }

  /// The next version.
  package var next: ValueVersion { ValueVersion(number: number &+ 1) }
}
