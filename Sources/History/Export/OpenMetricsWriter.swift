package import JSONLines

/// Writes OpenMetrics text 1.0.
///
/// The standard wants all samples of a family together and those of one metric in the order of time, so they are
/// gathered and sorted before anything is written. A family is `bucket_name`, or `bucket_name_field` for a field of a
/// struct value, with every sign that the standard does not allow as `_`. It is a gauge; where texts are among its values
/// it is of unknown type, and each text is a metric of the value 1 with the label `value`. Where the family's name does
/// not tell what it was made of, or several metrics share it, the labels `bucket`, `name`, `type` and `field` do. `null`
/// and arrays have no place here, nor have times that no 64 bits of seconds hold.
package struct OpenMetricsWriter: ExportWriter {
  /// A metric, or a field of one.
  private struct Series {
    let metric: Int
    let field: String?
  }

  private struct Family {
    let name: String
    var series = 0
    var hasText = false
    /// Whether the names of all series are the parts of its name as they were.
    var isPlain = true
  }

  private struct FieldKey: Hashable {
    let metric: Int
    let field: String
  }

  private var metrics: [MetricIdentity] = []
  private var series: [Series] = []
  private var families: [Family] = []
  private var familyOfSeries: [Int] = []
  private var familyByName: [String: Int] = [:]
  /// The series of plain values by metric, and of fields; `nil` before the first value.
  private var plainSeries: [Int?] = []
  private var fieldSeries: [FieldKey: Int] = [:]
  private var sorter: RecordSorter

  package init(temporaryFolder folder: String) {
    sorter = RecordSorter(temporaryFolder: folder)
  }

  /// - Parameter limit: How many bytes of memory the gathered samples may take before they go to a file.
  init(temporaryFolder folder: String, limit: Int) {
    sorter = RecordSorter(temporaryFolder: folder, limit: limit)
  }

  package mutating func meet(_ metric: MetricIdentity) {
    metrics.append(metric)
    plainSeries.append(nil)
  }

  package mutating func append(
    _ sample: ExportSample, to output: inout [UInt8]
  ) throws(FileFailure) -> Bool {
    guard ExportTime.unixSeconds.contains(sample.time) else { return false }
    guard sample.kind == .object else {
      let number = plainSeries[sample.metric] ?? meetSeries(sample.metric, nil)
      plainSeries[sample.metric] = number
      return try append(number, sample.time, sample.kind, sample.number, sample.payload)
    }
    var fields: [(String, StructFields.Scalar)] = []
    StructFields.forEachScalar(in: sample.payload) { fields.append(($0, $1)) }
    var isWritten = false
    for (name, value) in fields {
      let key = FieldKey(metric: sample.metric, field: name)
      let number = fieldSeries[key] ?? meetSeries(sample.metric, name)
      fieldSeries[key] = number
      if try append(number, sample.time, value.kind, value.number, value.payload) { isWritten = true }
    }
    return isWritten
  }

  private mutating func append(
    _ number: Int, _ time: Double, _ kind: SampleKind, _ value: Double, _ payload: ArraySlice<UInt8>
  ) throws(FileFailure) -> Bool {
    let family = familyOfSeries[number]
    var (text, figure): (ArraySlice<UInt8>?, [UInt8]) = (nil, [])
    switch kind {
    case .number, .bool: ExportNumber.append(value, to: &figure)
    case .wideInteger: figure = Array(payload)
    case .text:
      families[family].hasText = true
      text = ExportText.utf8(payload)
    case .null, .object, .array: return false
    }
    let key = RecordSorter.Key(group: UInt32(family), member: UInt32(number), time: time)
    try sorter.append(key, text: text ?? [], hasText: text != nil, figure: figure)
    return true
  }

  private mutating func meetSeries(_ metric: Int, _ field: String?) -> Int {
    let identity = metrics[metric]
    let parts = [identity.bucket, identity.name, field].compactMap { $0 }
    let name = Self.name(parts)
    let family = familyByName[name] ?? families.count
    if family == families.count {
      families.append(Family(name: name))
      familyByName[name] = family
    }
    families[family].series += 1
    if parts.joined(separator: "_") != name { families[family].isPlain = false }
    series.append(Series(metric: metric, field: field))
    familyOfSeries.append(family)
    return series.count - 1
  }

  package mutating func finish(_ emit: ([UInt8]) throws -> Void) throws {
    var output: [UInt8] = []
    var current: (family: UInt32?, member: UInt32?) = (nil, nil)
    var labels: [UInt8] = []
    // Taken out, because what is called for each record reads the names beside it.
    var sorter = RecordSorter(temporaryFolder: "")
    swap(&sorter, &self.sorter)
    try sorter.forEach { key, text, figure in
      let family = families[Int(key.group)]
      if key.group != current.family {
        output += "# TYPE \(family.name) \(family.hasText ? "unknown" : "gauge")\n".utf8
      }
      if key.member != current.member { labels = self.labels(of: Int(key.member), in: family) }
      current = (key.group, key.member)
      Self.append(family.name, labels, text, figure, key.time, to: &output)
      guard output.count > 1 << 18 else { return }
      try emit(output)
      output.removeAll(keepingCapacity: true)
    }
    output += "# EOF\n".utf8
    try emit(output)
  }

  private static func append(
    _ name: String, _ labels: [UInt8], _ text: ArraySlice<UInt8>?, _ figure: ArraySlice<UInt8>,
    _ time: Double,
    to output: inout [UInt8]
  ) {
    output += name.utf8
    if text != nil || !labels.isEmpty {
      output.append(UInt8(ascii: "{"))
      output += labels
      if let text {
        if !labels.isEmpty { output.append(UInt8(ascii: ",")) }
        append(label: "value", text, to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
    output.append(UInt8(ascii: " "))
    if text == nil { output += figure } else { output.append(UInt8(ascii: "1")) }
    output.append(UInt8(ascii: " "))
    ExportTime.appendUnixSeconds(time, to: &output)
    output.append(UInt8(ascii: "\n"))
  }

  /// What tells a series from others of its family.
  private func labels(of number: Int, in family: Family) -> [UInt8] {
    guard family.series > 1 || !family.isPlain else { return [] }
    let series = series[number]
    let identity = metrics[series.metric]
    let parts = [
      ("bucket", identity.bucket), ("name", identity.name), ("type", identity.typeName),
      ("field", series.field),
    ]
    var labels: [UInt8] = []
    for case (let name, let text?) in parts {
      if !labels.isEmpty { labels.append(UInt8(ascii: ",")) }
      Self.append(label: name, Array(text.utf8)[...], to: &labels)
    }
    return labels
  }

  private static func append(label name: String, _ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
    output += name.utf8
    output += "=\"".utf8
    for byte in text {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: "\""): output += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): output += "\\n".utf8
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  /// The parts as a name that the standard allows.
  private static func name(_ parts: [String]) -> String {
    let name = parts.joined(separator: "_").unicodeScalars.map { scalar in
      let isAllowed = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      return isAllowed || scalar == ":" || scalar == "_" ? Character(scalar) : "_"
    }
    let isHeaded = name.first.map { !$0.isNumber } ?? false
    return (isHeaded ? "" : "_") + String(name)
  }
}
