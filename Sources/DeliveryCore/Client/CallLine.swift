/// Calls in order; the cost of an operation depends only on the calls appended or taken.
struct CallLine: Sendable {
  /// The calls from ``head`` on; dropped calls leave gaps.
  private var places: [Call?] = []
  private var head = 0
  /// All fire-and-forget calls are at or behind this index.
  private var firstSilent = 0
  private(set) var count = 0

  /// Maximum gaps, in addition to one per call.
  private static let slack = 64

  var isEmpty: Bool { count == 0 }

  /// The calls, oldest first.
  var all: [Call] { places[head...].compactMap(\.self) }

  init(_ calls: [Call] = []) {
    places = calls
    count = calls.count
  }

  mutating func append(_ call: Call) {
    places.append(call)
    count += 1
  }

  /// Drops the oldest call that has no waiting caller.
  ///
  /// - Returns: Whether there was one.
  mutating func pushOut() -> Bool {
    firstSilent = max(firstSilent, head)
    while firstSilent < places.count {
      let place = firstSilent
      firstSilent += 1
      guard let call = places[place], call.isSilent else { continue }
      places[place] = nil
      count -= 1
      closeGaps()
      return true
    }
    return false
  }

  /// Takes the oldest calls, at most `limit`.
  mutating func take(_ limit: Int) -> CallLine {
    if count <= limit {
      defer { self = CallLine() }
      return self
    }
    var taken: [Call] = []
    taken.reserveCapacity(limit)
    while taken.count < limit, head < places.count {
      if let call = places[head] {
        taken.append(call)
        places[head] = nil
      }
      head += 1
    }
    count -= taken.count
    closeGaps()
    return CallLine(taken)
  }

  /// Compacts the array once gaps outnumber calls, so that the amortized cost stays constant.
  private mutating func closeGaps() {
    guard places.count - count > count + Self.slack else { return }
    firstSilent = places[head..<max(head, firstSilent)].count(where: { $0 != nil })
    places = Array(places[head...].lazy.filter { $0 != nil })
    head = 0
  }
}
