extension ExportCheckers {
  /// The faults of OpenMetrics text of gauges, histograms and unknown families; what only histograms have to keep
  /// is not looked at.
  static func complaint(openMetrics text: String) -> String? {
    guard text.hasSuffix("# EOF\n") else { return "no end" }
    var checker = OpenMetricsChecker()
    // By scalars: a mark behind a quote does not make it another sign.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines.dropLast(2).map({ Substring($0) }) {
      if let complaint = checker.complaint(line) { return complaint }
    }
    return nil
  }
}

/// Reads OpenMetrics text line by line.
private struct OpenMetricsChecker {
  private var families: Set<Substring> = []
  private var family: Substring?
  /// The names that samples of the family have.
  private var samples: Set<Substring> = []
  private var metrics: Set<String> = []
  private var last: (metric: String, time: Double)?

  /// The fault of the next line; `nil` if there is none.
  mutating func complaint(_ line: Substring) -> String? {
    if line.hasPrefix("# TYPE ") { return begin(line) ? nil : "\(line)" }
    if let family, last == nil {
      if line == "# UNIT \(family) seconds", family.hasSuffix("_seconds") { return nil }
      if line.hasPrefix("# HELP \(family) ") { return nil }
    }
    return sample(line)
  }

  private mutating func begin(_ line: Substring) -> Bool {
    let words = line.split(separator: " ")
    guard words.count == 4, words[2].wholeMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) != nil,
      ["gauge", "unknown", "histogram"].contains(words[3]), families.insert(words[2]).inserted
    else { return false }
    (family, last) = (words[2], nil)
    let isHistogram = words[3] == "histogram"
    samples = isHistogram ? Set(["_bucket", "_count", "_sum"].map { words[2] + $0 }) : [words[2]]
    return true
  }

  private mutating func sample(_ line: Substring) -> String? {
    let sample = /(?<metric>(?<name>[^{ ]+)(?:\{(?<labels>[^\n]+)\})?) (?<value>\S+) (?<time>\S+)/
    guard let match = line.wholeMatch(of: sample.matchingSemantics(.unicodeScalar)),
      samples.contains(match.name), let time = Double(match.time), Double(match.value) != nil,
      match.labels.map(Self.areLabels) ?? true
    else { return "\(line)" }
    // All samples of a histogram at one time stand together, and then those of the next.
    let labels = match.labels.map(String.init) ?? ""
    let metric =
      samples.count > 1
      ? labels.replacing(/,?le="[^"]*"$/, with: "") + " of \(family ?? "")" : String(match.metric)
    if let last, last.metric == metric {
      guard time >= last.time else { return "back in time: \(line)" }
    } else if !metrics.insert(metric).inserted {
      return "apart: \(line)"
    }
    last = (metric, time)
    return nil
  }

  private static func areLabels(_ text: Substring) -> Bool {
    let label = /[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[n"\\])*"/.matchingSemantics(.unicodeScalar)
    var labels = text
    while let first = labels.prefixMatch(of: label) {
      labels = labels[first.range.upperBound...]
      guard labels.first == "," else { break }
      labels = labels.dropFirst()
    }
    return labels.isEmpty
  }
}
