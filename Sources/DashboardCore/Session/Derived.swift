/// A value that is computed from a key and kept until the key changes.
///
/// Use it for everything a screen derives from its state instead of counting versions or refreshes by hand: request the
/// value with the current key, and it is computed only if the key differs.
package struct Derived<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  /// The key that the value was computed from; `nil` before the first computation.
  package private(set) var key: Key?
  package private(set) var value: Value

  package init(_ value: Value) { self.value = value }

  /// Computes the value unless it belongs to this key already.
  ///
  /// - Returns: True if it was computed.
  @discardableResult
  package mutating func update(for key: Key, _ compute: (_ old: Value) -> Value) -> Bool {
    guard self.key != key else { return false }
    value = compute(value)
    self.key = key
    return true
  }
}
