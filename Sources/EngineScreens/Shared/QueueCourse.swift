import Platform

/// The length of a queue over time, in columns.
enum QueueCourse {
  /// The maximum length in each column; `nil` beyond the end of the record.
  ///
  /// - Parameters:
  ///   - depths: The lengths, oldest first, with their start times.
  ///   - before: The length before the first of them.
  ///   - start: The left end of the scale.
  ///   - end: The right end of the scale.
  ///   - reached: The end of the record.
  ///   - count: Number of columns of the scale.
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
