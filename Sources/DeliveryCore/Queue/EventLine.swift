/// Events in their order, taken at the front and put at either end; taking costs what is taken.
package struct EventLine: Sendable, Hashable {
  /// The events from ``head`` on; those before it are taken already.
  private var events: [QueuedEvent] = []
  private var head = 0
  /// Bytes of all events in the line.
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

  /// Puts events before all others.
  package mutating func prepend(_ more: [QueuedEvent]) {
    guard !more.isEmpty else { return }
    events.replaceSubrange(..<head, with: more)
    head = 0
    bytes = more.reduce(bytes) { $0 + $1.bytes }
  }

  /// Takes the oldest, at most `limit`; nothing for a limit of 0 and less.
  package mutating func take(_ limit: Int) -> [QueuedEvent] {
    let end = head + min(max(0, limit), count)
    let taken = Array(events[head..<end])
    head = end
    bytes = taken.reduce(bytes) { $0 - $1.bytes }
    // Moving the rest up costs as much as has been taken since the last time, so each event is moved once at most.
    if head * 2 >= events.count {
      events.removeFirst(head)
      head = 0
    }
    return taken
  }

  /// Takes the newest, at most `limit`, in the order of the line.
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
