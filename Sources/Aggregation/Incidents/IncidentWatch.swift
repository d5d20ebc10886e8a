/// The number of watched series, and the smallest change that would be noticed.
package struct IncidentWatch: Sendable, Hashable {
  /// Number of series whose usual values are known.
  package let count: Int
  /// Smallest change of level that would be noticed within two minutes in half of the series, as a factor rounded up to
  /// tenths; `nil` if unknown.
  package let smallestChange: Double?

  /// - Parameters:
  ///   - count: the number of series whose usual values are known.
  ///   - changes: the smallest noticeable change of each series, as a factor, where known.
  package init(count: Int = 0, changes: [Double] = []) {
    self.count = count
    let sorted = changes.filter { $0.isFinite }.sorted()
    smallestChange = sorted.isEmpty ? nil : (sorted[sorted.count / 2] * 10).rounded(.up) / 10
  }
}
