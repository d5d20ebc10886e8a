/// Selects the credible findings among many on one page.
package enum FalseDiscoveries {
  /// Average fraction of the findings on a page that may be false, and how often a page without any difference reports one.
  package static let rate = 0.05

  /// The largest probability of an accepted finding (Benjamini and Hochberg, *Controlling the False Discovery Rate*, 1995).
  ///
  /// The rarest finding is held to the limit for a single one, the next to twice that, and so on; `nil` if none is accepted.
  ///
  /// - Parameters:
  ///   - probabilities: the probability of each finding by chance alone.
  ///   - count: the number of comparisons, including those whose result is not known yet.
  package static func threshold(_ probabilities: [Double], of count: Int) -> Double? {
    let all = Double(max(count, probabilities.count))
    return probabilities.sorted().enumerated().last { place, probability in
      probability <= rate * Double(place + 1) / all
    }?.element
  }
}
