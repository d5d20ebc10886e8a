/// Ring buffer of the newest values of a stream, indexed from the oldest.
struct RecentValues: Sendable, Equatable {
  private var values: [Float] = []
  private var oldest = 0

  var count: Int { values.count }

  var isEmpty: Bool { values.isEmpty }

  /// The value at a place, counted from the oldest.
  subscript(place: Int) -> Float {
    let index = oldest + place
    return values[index < values.count ? index : index - values.count]
  }

  /// The newest value.
  var last: Float? { values.isEmpty ? nil : self[values.count - 1] }

  /// Appends a value; at capacity, replaces and returns the oldest.
  @discardableResult
  mutating func append(_ value: Float, capacity: Int) -> Float? {
    guard values.count >= capacity else {
      // A ring that is not full starts at index 0. The reservation keeps it from growing beyond its capacity.
      if values.isEmpty { values.reserveCapacity(capacity) }
      values.append(value)
      return nil
    }
    let old = values[oldest]
    values[oldest] = value
    oldest = oldest + 1 < values.count ? oldest + 1 : 0
    return old
  }

  /// Adds a constant to all values.
  mutating func shift(by distance: Float) {
    for index in values.indices { values[index] += distance }
  }

  /// All values, oldest first.
  var inOrder: [Float] { Array(values[oldest...] + values[..<oldest]) }
}
