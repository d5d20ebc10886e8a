import Platform

/// The length of a queue over time, in columns.
enum QueueCourse {
  /// By column the most that was in force in it; `nil` where the record has not come to yet.
  ///
  /// - Parameters:
  ///   - depths: The lengths, oldest first, and when they began.
  ///   - before: The length before the first of them.
  ///   - start: The left end of the scale.
  ///   - end: The right end of the scale.
  ///   - reached: How far the record has come.
  ///   - count: How many columns the scale has.
  static func columns(
    _ depths: [(time: Timestamp, pending: Int)], before: Int, from start: Timestamp, to end: Timestamp,
    reached: Timestamp, count: Int
  ) -> [Double?] {
    let columns = max(0, min(count, 10_000))
    let width = (end - start) / Double(max(1, columns))
    var result: [Double?] = []
    var (place, pending) = (0, before)
    for column in 0..<columns {
      let left = start + Double(column) * width
      let right = column == columns - 1 ? end : left + width
      var most = pending
      while place < depths.count, depths[place].time <= right {
        pending = depths[place].pending
        most = max(most, pending)
        place += 1
      }
      result.append(left <= reached ? Double(most) : nil)
    }
    return result
  }
}
