/// Events in order, taken from the front and added at either end; the cost of taking depends on the number taken.
package struct EventLine: Sendable, Hashable {
  /// The events from ``head`` on; those before it have been taken.
  private var events: [QueuedEvent] = []
  private var head = 0
  /// Total size of the events in bytes.
  package private(set) var bytes = 0

  package init(_ events: [QueuedEvent] = []) {
    self.events = events
    bytes = events.reduce(0) { $0 + $1.bytes }
  }

  package var count: Int { events.count - head }
  package var isEmpty: Bool { count == 0 }
  package var first: QueuedEvent? { isEmpty ? nil : events[head] }
  package var all: [QueuedEvent] { Array(events[head...]) }

  package mutating func append(_ event: QueuedEvent) {
    events.append(event)
    bytes += event.bytes
  }

  package mutating func append(_ more: [QueuedEvent]) {
    for event in more { append(event) }
  }

  /// Inserts events before all others.
  package mutating func prepend(_ more: [QueuedEvent]) {
    guard !more.isEmpty else { return }
    events.replaceSubrange(..<head, with: more)
    head = 0
    bytes = more.reduce(bytes) { $0 + $1.bytes }
  }

  /// Takes the oldest events, at most `limit`; none for a limit of 0 or less.
  package mutating func take(_ limit: Int) -> [QueuedEvent] {
    let end = head + min(max(0, limit), count)
    let taken = Array(events[head..<end])
    head = end
    bytes = taken.reduce(bytes) { $0 - $1.bytes }
    // Compaction costs no more than what was taken since the last one, so each event is moved at most once.
    if head * 2 >= events.count {
      events.removeFirst(head)
      head = 0
    }
    return taken
  }

  /// Takes the newest events, at most `limit`, in order.
  package mutating func takeLast(_ limit: Int) -> [QueuedEvent] {
    let taken = Array(events.suffix(min(max(0, limit), count)))
    events.removeLast(taken.count)
    bytes = taken.reduce(bytes) { $0 - $1.bytes }
    return taken
  }

  package mutating func takeAll() -> [QueuedEvent] {
    defer { self = EventLine() }
    return all
  }

  package static func == (left: EventLine, right: EventLine) -> Bool {
    left.events[left.head...] == right.events[right.head...]
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(events[head...])
  }
}
