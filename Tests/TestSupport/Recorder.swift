import Foundation

/// Collects values from code under test, on any thread.
package final class Recorder<Element: Sendable>: @unchecked Sendable {
  // Safe: `elements` is accessed only under the lock.
  private let lock = NSLock()
  private var elements: [Element] = []

  package init() {}

  package func append(_ element: Element) {
    lock.withLock { elements.append(element) }
  }

  /// All values collected so far.
  package var all: [Element] { lock.withLock { elements } }
}
