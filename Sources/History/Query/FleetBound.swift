package import Aggregation

/// The value that 5 % of a fleet's numbers lie above, and the share of a host's numbers above it.
///
/// Inside a bin, numbers count as spread evenly, so that exactly 5 % of the fleet's own bins lie above. Without that,
/// an odd host whose numbers fill a single bin would have none above it.
package struct FleetBound: Sendable, Equatable {
  package let value: Double
  /// The share of numbers equal to the value that counts as above it.
  private let ties: Double

  /// - Parameter bins: the fleet's numbers in ascending order.
  /// - Returns: `nil` without numbers.
  package init?(_ bins: [HistogramBin]) {
    let wanted = HostsAnswer.usualShare * bins.reduce(0) { $0 + Double($1.count) }
    guard wanted > 0 else { return nil }
    var above = 0.0
    for bin in bins.reversed() {
      let count = Double(bin.count)
      if above + count >= wanted {
        ties = (wanted - above) / count
        value = bin.upper - ties * (bin.upper - bin.lower)
        return
      }
      above += count
    }
    return nil
  }

  /// The share of some numbers above the bound; `nil` without numbers.
  package func share(of bins: [HistogramBin]) -> Double? {
    var (above, all) = (0.0, 0.0)
    for bin in bins {
      all += Double(bin.count)
      above += Double(bin.count) * part(of: bin)
    }
    return all > 0 ? above / all : nil
  }

  /// The part of a bin above the bound.
  private func part(of bin: HistogramBin) -> Double {
    if bin.lower == bin.upper, bin.upper == value { return ties }
    if bin.lower >= value { return 1 }
    return bin.upper > value ? (bin.upper - value) / (bin.upper - bin.lower) : 0
  }
}
