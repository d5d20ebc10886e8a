import Foundation

/// Gathers what code under test says, from whatever thread.
package final class Recorder<Element: Sendable>: @unchecked Sendable {
  // Safe: `elements` is touched under the lock only.
  private let lock = NSLock()
  private var elements: [Element] = []

  package init() {}

  package func append(_ element: Element) {
    lock.withLock { elements.append(element) }
  }

  /// All that was gathered so far.
  package var all: [Element] { lock.withLock { elements } }
}
