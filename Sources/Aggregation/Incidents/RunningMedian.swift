/// Median of the recent values of a stream without the very newest, kept sorted: 8 bytes per value.
struct RunningMedian: Sendable, Equatable {
  private var values = RecentValues()
  /// Values included in the median, in ascending order.
  private var sorted: [Float] = []

  var count: Int { values.count }

  var isEmpty: Bool { values.isEmpty }

  /// All values, oldest first.
  var inOrder: [Float] { values.inOrder }

  /// The median; the oldest value while all are too new; 0 if empty.
  var median: Float {
    let count = sorted.count
    guard count > 0 else { return values.isEmpty ? 0 : values[0] }
    return count % 2 == 0 ? sorted[count / 2 - 1] / 2 + sorted[count / 2] / 2 : sorted[count / 2]
  }

  /// Adds a value.
  ///
  /// - Parameters:
  ///   - capacity: the number of values kept.
  ///   - skipped: the number of newest values left out of the median.
  mutating func append(_ value: Float, capacity: Int, skipped: Int) {
    if let old = values.append(value, capacity: capacity) { remove(old) }
    let place = values.count - 1 - skipped
    guard place >= 0 else { return }
    if sorted.isEmpty { sorted.reserveCapacity(capacity - skipped + 1) }
    insert(values[place])
  }

  private mutating func insert(_ value: Float) {
    sorted.append(value)
    var place = sorted.count - 1
    while place > 0, sorted[place - 1] > value {
      sorted[place] = sorted[place - 1]
      place -= 1
    }
    sorted[place] = value
  }

  private mutating func remove(_ value: Float) {
    guard !sorted.isEmpty else { return }
    var place = 0
    while place < sorted.count - 1, sorted[place] < value { place += 1 }
    while place < sorted.count - 1 {
      sorted[place] = sorted[place + 1]
      place += 1
    }
    sorted.removeLast()
  }

  /// Adds a constant to all values.
  mutating func shift(by distance: Float) {
    values.shift(by: distance)
    for index in sorted.indices { sorted[index] += distance }
  }
}
