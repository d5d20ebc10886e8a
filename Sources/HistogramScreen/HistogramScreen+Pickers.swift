import DashboardCore

extension Picker {
  /// The choice of percentiles.
  static let percentiles = Picker(name: "percentiles", title: "Percentiles, or type your own")
}

// The picker of percentiles.
extension HistogramScreen {
  private static let percentilePresets: [[Double]] = [
    HistogramOptions.usualPercentiles, [50, 90, 99, 99.9], [5, 25, 50, 75, 95], [90, 95, 99, 99.9, 99.99],
    [50, 95],
  ]

  /// Maximum number of percentiles shown.
  static let percentileLimit = 9

  static func percentileChoices(_ query: String) -> [PickerChoice<Self>] {
    let typed = percentiles(query)
    let all = (typed.map { [$0] } ?? []) + percentilePresets.filter { $0 != typed }
    return all.map { percentiles in
      // The typed text is part of the title, so that it matches.
      let words = percentiles == typed ? "   \(query)" : ""
      return PickerChoice(title(ofPercentiles: percentiles) + words) {
        $0.state.options.percentiles = percentiles
      }
    }
  }

  /// The percentiles in a text such as `50 90,99.9`; `nil` if it is not a list of percentiles.
  static func percentiles(_ text: String) -> [Double]? {
    let words = text.split { " ,;p".contains($0) }
    let numbers = words.compactMap { Double($0) }.filter { $0 >= 0 && $0 <= 100 }
    guard !words.isEmpty, numbers.count == words.count, numbers.count <= percentileLimit else { return nil }
    return Set(numbers).sorted()
  }

  /// `p50 p99.9`, so that typed input matches the title.
  private static func title(ofPercentiles percentiles: [Double]) -> String {
    percentiles.map(name(ofPercentile:)).joined(separator: " ")
  }

  /// The name of a percentile: `p99.9`.
  static func name(ofPercentile percentile: Double) -> String {
    percentile == percentile.rounded() ? "p\(Int(percentile))" : "p\(percentile)"
  }
}
