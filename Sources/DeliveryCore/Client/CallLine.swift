/// Calls in their order; each operation costs what it appends or takes, however many calls wait.
struct CallLine: Sendable {
  /// The calls from ``head`` on, with gaps where calls were dropped.
  private var places: [Call?] = []
  private var head = 0
  /// There is no call before this place that no one waits for.
  private var firstSilent = 0
  /// Calls that wait.
  private(set) var count = 0

  /// Places without a call that are kept at most, beside as many as there are calls.
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

  /// Takes out the oldest call that no one waits for.
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

  /// Takes the oldest, at most `limit`.
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

  /// Moves the calls together once there are more gaps than calls, so that each move is paid for.
  private mutating func closeGaps() {
    guard places.count - count > count + Self.slack else { return }
    firstSilent = places[head..<max(head, firstSilent)].count(where: { $0 != nil })
    places = Array(places[head...].lazy.filter { $0 != nil })
    head = 0
  }
}
