import Platform

/// The last value of a pure function, for use in places that cannot mutate.
///
/// Prefer a ``Derived`` value in a screen's `handle`; this is for values that views and getters request many times a
/// frame, such as the layout.
package final class Memo<Argument: Equatable & Sendable, Value: Sendable>: Sendable {
  private let last = Locked<(argument: Argument, value: Value)?>(nil)

  package init() {}

  /// The value for an argument, computed unless the argument equals the last one.
  package func callAsFunction(_ argument: Argument, _ compute: (Argument) -> Value) -> Value {
    if let known = last.withLock({ $0 }), known.argument == argument { return known.value }
    let value = compute(argument)
    last.withLock { $0 = (argument, value) }
    return value
  }
}
