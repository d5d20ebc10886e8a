import Aggregation
import JSONLines

/// A histogram of a payload, as it is recorded (`PayloadHistogram` of the library Telemetry).
struct RecordedHistogram {
  /// The type that the lines name.
  static let typeName = "PayloadHistogram"

  /// What is counted.
  enum Kind: String {
    /// Samples by their times, in milliseconds.
    case times = "ms"
    /// Percents of the time by the bars of a network.
    case bars
  }

  /// What a bin covers, in milliseconds or bars.
  struct Bin: Equatable {
    let lower: Double
    let upper: Double
    let count: Int
  }

  /// What tells the histograms of one metric apart.
  struct LabelSet: Hashable {
    var version = ""
    var isSimulated = false
    var isMixed = false
  }

  let kind: Kind
  let labels: LabelSet
  let bins: [Bin]
  /// What tells a payload from all others; `nil` where it was not recorded.
  let payloadHash: String?

  /// Reads a value; `nil` for one that is none, or of another unit.
  init?(_ json: ArraySlice<UInt8>) {
    var (unit, source, labels) = ("", "", LabelSet())
    StructFields.forEach(in: json) { name, value in
      switch (name, value) {
      case ("unit", .text(let text)): unit = text
      case ("appVersion", .text(let text)): labels.version = text
      case ("source", .text(let text)): source = text
      case ("simulated", .bool(let flag)): labels.isSimulated = flag
      case ("multipleVersions", .bool(let flag)): labels.isMixed = flag
      default: break
      }
    }
    var bins: [Bin] = []
    let hasBins = StructFields.forEachStruct(inArray: "bins", of: json) { element in
      if let bin = Bin(element) { bins.append(bin) }
    }
    guard let kind = Kind(rawValue: unit), hasBins else { return nil }
    self.kind = kind
    payloadHash = source.lastIndex(of: "#").map { String(source[source.index(after: $0)...]) }
    (self.labels, self.bins) = (labels, bins)
  }
}

extension RecordedHistogram.Bin {
  /// Reads a bin; `nil` for bounds that are missing or not in order, or a count below zero.
  init?(_ json: ArraySlice<UInt8>) {
    var (start, end, count): (Double?, Double?, Int?)
    StructFields.forEachScalar(in: json) { name, value in
      switch name {
      case "start": start = value.bound
      case "end": end = value.bound
      case "count": count = value.count
      default: break
      }
    }
    guard let start, let end, let count, start <= end, count >= 0 else { return nil }
    self.init(lower: start, upper: PayloadGrid.upperEdge(start: start, end: end), count: count)
  }
}

extension StructFields.Scalar {
  fileprivate var bound: Double? { kind == .number || kind == .wideInteger ? number : nil }

  fileprivate var count: Int? {
    switch kind {
    case .number: Int(exactly: number)
    // More than a count can be, or less.
    case .wideInteger: Int(String(decoding: payload, as: UTF8.self)) ?? (number < 0 ? -1 : .max)
    case .bool, .null, .text, .object, .array: nil
    }
  }
}
