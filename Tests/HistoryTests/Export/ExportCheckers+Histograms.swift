extension ExportCheckers {
  /// The faults of histograms in OpenMetrics text whose lines are sound each for itself.
  static func complaint(histograms text: String) -> String? {
    var buckets: [(bound: Double, count: Double)] = []
    for line in text.unicodeScalars.split(separator: "\n").map({ Substring($0) }) {
      guard !line.hasPrefix("#"), let name = line.prefixMatch(of: /[^{ ]+/)?.output,
        let value = line.firstMatch(of: /(\S+) \S+$/.matchingSemantics(.unicodeScalar)).flatMap({
          Double($0.1)
        })
      else { continue }
      if name.hasSuffix("_bucket") {
        let bound = line.firstMatch(of: /le="([^"]+)"/).flatMap { $0.1 == "+Inf" ? .infinity : Double($0.1) }
        guard let bound else { return "no bound: \(line)" }
        // Times below zero have neither count nor sum: their last bucket is the end.
        if buckets.last?.bound == .infinity, buckets.contains(where: { $0.bound < 0 }) { buckets = [] }
        if let last = buckets.last {
          guard last.bound < bound, last.count <= value else { return "order: \(line)" }
        }
        buckets.append((bound, value))
      } else if name.hasSuffix("_count") {
        guard let last = buckets.last, last.bound == .infinity, last.count == value else {
          return "count: \(line)"
        }
        buckets = []
      }
    }
    return buckets.allSatisfy { $0.bound >= 0 } && !buckets.isEmpty ? "no count" : nil
  }
}
