import Aggregation
import Codecs
package import JSONLines
package import Platform

/// Writes OpenMetrics text 1.0.
///
/// The standard requires all samples of a family to be together, and those of one metric in time order, so they are
/// gathered and sorted before anything is written. A family is `bucket_name`, or `bucket_name_field` for a field of a
/// struct value, with `_` for every character that the standard does not allow. It is a gauge; if its values include
/// texts, its type is unknown, and each text is a metric of value 1 with the label `value`. If the name of the family
/// does not reveal its origin, or if several metrics share it, the labels `bucket`, `name`, `type` and `field` do. Of
/// two fields with the same name in a sample, the later one is `field_2`. `null` and arrays cannot be expressed, nor
/// can times beyond 64 bits of seconds.
///
/// Imported payloads become families of their own: see ``OpenMetricsPayloads``.
package struct OpenMetricsWriter: ExportWriter {
  /// A metric, or a field of one.
  struct Series: Hashable {
    let metric: Int
    var field: String?
  }

  struct Family {
    let name: String
    /// The metric or field it was created for.
    let origin: Series
    /// True if it includes another metric or field as well.
    var isShared = false
    var hasText = false
    /// True if the family name consists of the unchanged names of all its series.
    var isPlain = true
  }

  private(set) var metrics: [MetricIdentity] = []
  private(set) var series: [Series] = []
  private(set) var families: [Family] = []
  private var familyOfSeries: [Int] = []
  private var familyByName: [String: Int] = [:]
  /// The series of plain values by metric; `nil` before the first value.
  private var plainSeries: [Int?] = []
  /// The numbers of all other series.
  private var otherSeries: [Series: Int] = [:]
  let options: ExportOptions
  var sorter: RecordSorter

  package init(temporaryFolder folder: String, payloads options: ExportOptions = .init()) {
    self.options = options
    sorter = RecordSorter(temporaryFolder: folder)
  }

  /// - Parameter limit: maximum bytes of gathered samples in memory; more go to a file.
  init(temporaryFolder folder: String, limit: Int) {
    options = ExportOptions()
    sorter = RecordSorter(temporaryFolder: folder, limit: limit)
  }

  package var takesPayloads: Bool { true }

  package mutating func meet(_ metric: MetricIdentity) {
    metrics.append(metric)
    plainSeries.append(nil)
  }

  package mutating func append(
    _ sample: ExportSample, to output: inout [UInt8]
  ) throws(FileFailure) -> Bool {
    guard ExportTime.hasUnixSeconds(sample.time) else { return false }
    guard sample.kind == .object else {
      let number = plainSeries[sample.metric] ?? meet(Series(metric: sample.metric))
      plainSeries[sample.metric] = number
      return try append(number, sample.time, sample.kind, sample.number, sample.payload)
    }
    var fields: [(String, StructFields.Scalar)] = []
    // A series has only one value at a time.
    var names = DistinctNames<String>()
    StructFields.forEachScalar(in: sample.payload) { name, value in
      if value.kind != .null { fields.append((names.next { name + $0 }, value)) }
    }
    var isWritten = false
    for (name, value) in fields {
      let number = number(of: Series(metric: sample.metric, field: name))
      if try append(number, sample.time, value.kind, value.number, value.payload) { isWritten = true }
    }
    return isWritten
  }

  private mutating func append(
    _ number: Int, _ time: Timestamp, _ kind: SampleKind, _ value: Double, _ payload: ArraySlice<UInt8>
  ) throws(FileFailure) -> Bool {
    let family = familyOfSeries[number]
    var (text, figure): (ArraySlice<UInt8>?, [UInt8]) = (nil, [])
    switch kind {
    case .number, .bool: Decimals.append(value, to: &figure)
    case .wideInteger: figure = Array(payload)
    case .text:
      families[family].hasText = true
      text = ExportText.utf8(payload)
    case .null, .object, .array: return false
    }
    let key = RecordSorter.Key(group: UInt32(family), member: UInt32(number), time: time.seconds)
    try sorter.append(key, text: text ?? [], hasText: text != nil, figure: figure)
    return true
  }

  private mutating func number(of series: Series) -> Int {
    if let number = otherSeries[series] { return number }
    let number = meet(series)
    otherSeries[series] = number
    return number
  }

  private mutating func meet(_ new: Series) -> Int {
    let identity = metrics[new.metric]
    let parts = [identity.bucket, identity.name, new.field].compactMap { $0 }
    let name = Self.name(parts)
    let family = familyByName[name] ?? families.count
    if family == families.count {
      families.append(Family(name: name, origin: new))
      familyByName[name] = family
    }
    if families[family].origin != new { families[family].isShared = true }
    if parts.joined(separator: "_") != name { families[family].isPlain = false }
    series.append(new)
    familyOfSeries.append(family)
    return series.count - 1
  }

  /// The parts joined to a name that the standard allows.
  static func name(_ parts: [String]) -> String {
    let name = parts.joined(separator: "_").unicodeScalars.map { scalar in
      let isAllowed = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      return isAllowed || scalar == ":" || scalar == "_" ? Character(scalar) : "_"
    }
    let isHeaded = name.first.map { !$0.isNumber } ?? false
    return (isHeaded ? "" : "_") + String(name)
  }
}
