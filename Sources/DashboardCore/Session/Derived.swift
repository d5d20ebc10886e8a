/// A value that is computed from a key and kept until the key changes.
///
/// Use it for everything a screen derives from its state, so that no one counts versions or refreshes by hand: ask for
/// the value with the key of this moment, and it is computed only where that is another one.
package struct Derived<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  /// The key that the value was computed from; `nil` before the first time.
  package private(set) var key: Key?
  package private(set) var value: Value

  package init(_ value: Value) { self.value = value }

  /// Computes the value unless it is the one of this key.
  ///
  /// - Returns: Whether it was computed.
  @discardableResult
  package mutating func update(for key: Key, _ compute: (_ old: Value) -> Value) -> Bool {
    guard self.key != key else { return false }
    value = compute(value)
    self.key = key
    return true
  }

  /// Forgets what the value was computed from, so that the next update computes it.
  package mutating func invalidate() { key = nil }
}
