/// Which of many findings on one page are to be believed.
package enum FalseDiscoveries {
  /// Of what is named on a page, the part that may be false, on average; and how often a page on which nothing is different
  /// names anything.
  package static let rate = 0.05

  /// How improbable a finding must be to be believed (Benjamini and Hochberg, *Controlling the False Discovery Rate*,
  /// 1995): the rarest of them as if it were the only one allowed, the next one twice that, and so on; `nil` where none is.
  ///
  /// - Parameters:
  ///   - probabilities: how probable what each found is by chance alone.
  ///   - count: how many are looked at, those included that are not known yet.
  package static func threshold(_ probabilities: [Double], of count: Int) -> Double? {
    let all = Double(max(count, probabilities.count))
    return probabilities.sorted().enumerated().last { place, probability in
      probability <= rate * Double(place + 1) / all
    }?.element
  }
}
