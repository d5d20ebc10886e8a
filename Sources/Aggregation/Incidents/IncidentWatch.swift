/// How many series are watched, and how small a change would be noticed.
package struct IncidentWatch: Sendable, Hashable {
  /// Number of series whose usual values are known.
  package let count: Int
  /// The smallest change of level that would be noticed within two minutes in half of the series, as a factor rounded up to
  /// tenths; `nil` if none is known.
  package let smallestChange: Double?

  /// - Parameters:
  ///   - count: The number of series whose usual values are known.
  ///   - changes: The smallest noticeable change of each of them, as a factor, where it is known.
  package init(count: Int = 0, changes: [Double] = []) {
    self.count = count
    let sorted = changes.filter { $0.isFinite }.sorted()
    smallestChange = sorted.isEmpty ? nil : (sorted[sorted.count / 2] * 10).rounded(.up) / 10
  }
}
