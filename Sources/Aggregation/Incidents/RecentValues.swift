/// The newest values of a stream, as many as fit: a ring whose first value is the oldest.
struct RecentValues: Sendable, Equatable {
  private var values: [Float] = []
  private var oldest = 0

  var count: Int { values.count }

  var isEmpty: Bool { values.isEmpty }

  /// The value at a place, from the oldest on.
  subscript(place: Int) -> Float {
    let index = oldest + place
    return values[index < values.count ? index : index - values.count]
  }

  /// The newest value.
  var last: Float? { values.isEmpty ? nil : self[values.count - 1] }

  /// Adds a value in the place of the oldest, where there are as many as fit; answers that.
  @discardableResult
  mutating func append(_ value: Float, capacity: Int) -> Float? {
    guard values.count >= capacity else {
      // A ring that is not full begins at the first; it grows to no more than it needs.
      if values.isEmpty { values.reserveCapacity(capacity) }
      values.append(value)
      return nil
    }
    let old = values[oldest]
    values[oldest] = value
    oldest = oldest + 1 < values.count ? oldest + 1 : 0
    return old
  }

  /// Adds the same to all values.
  mutating func shift(by distance: Float) {
    for index in values.indices { values[index] += distance }
  }

  /// All values, from the oldest on.
  var inOrder: [Float] { Array(values[oldest...] + values[..<oldest]) }
}
