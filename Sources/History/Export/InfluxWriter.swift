import Codecs
package import JSONLines
package import Platform

/// Writes InfluxDB line protocol: the bucket is the measurement, `name` a tag, times are nanoseconds.
///
/// InfluxDB rejects a field whose type changes within a measurement, so every type has a field of its own: `value` for
/// fractions, `value_int` for whole numbers of whole-number metrics, `value_bool` and `value_text`. Fields of structs
/// keep their names (`cpu`, `cpu_bool`, `cpu_text`); a number whose name ends like one of those (`cpu_text`) is
/// `cpu_text_number`. Characters that are not allowed in names become `_`, so names that differ only in those coincide.
/// If two fields of a sample would have the same name, the later one is `cpu_2`. Metrics without a bucket are in the
/// measurement `metrics`. `null` and arrays cannot be expressed, nor can times outside the years 1677 to 2262.
///
/// Of payloads each value, bin and frame is a point, with the name of the figure and the labels as tags. Points of one
/// moment with the same tags are a nanosecond apart, since InfluxDB keeps only one of them.
package struct InfluxWriter: ExportWriter {
  private struct Metric {
    /// Measurement and tag, followed by a space.
    let start: [UInt8]
    /// True if the value type is a whole-number type.
    let isWhole: Bool
  }

  private static let wholeTypes: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
  ]

  private static let plainField = Array("value".utf8)

  /// Suffixes of field names that show the type, and of numbers whose names would look like those.
  private static let endings = ["_int", "_bool", "_text", "_number"].map { Array($0.utf8) }

  private var metrics: [Metric] = []

  private let options: ExportOptions

  package init(payloads options: ExportOptions = .init()) {
    self.options = options
  }

  package var takesPayloads: Bool { true }

  package mutating func write(_ payloads: PayloadArchive, _ emit: ([UInt8]) throws -> Void) throws {
    struct Moment: Hashable {
      let tags: [UInt8]
      let nanoseconds: Int64
    }
    var options = options
    options.labels = options.labels ?? OpenMetricsPayloads.usualLabels
    let rows = PayloadRows(payloads, options)
    var next: [Moment: Int64] = [:]
    var output: [UInt8] = []
    try rows.forEach { row in
      guard let nanoseconds = ExportTime.unixNanoseconds(row.time) else { return }
      let moment = Moment(tags: tags(of: row, rows.labels.names), nanoseconds: nanoseconds)
      let place = next[moment, default: 0]
      next[moment] = place + 1
      output += moment.tags
      Self.append(fieldsOf: row, to: &output)
      output += "\(nanoseconds &+ place)\n".utf8
      guard output.count > 1 << 18 else { return }
      try emit(output)
      output.removeAll(keepingCapacity: true)
    }
    try emit(output)
  }

  /// The measurement and the tags, followed by a space; empty tags are not allowed.
  private func tags(of row: PayloadRows.Row, _ names: [String]) -> [UInt8] {
    let labels = [("name", row.name)] + zip(names, row.labels)
    let marks = row.marks.filter(\.isSet).map { ($0.name, "true") }
    return Self.start(PayloadArchive.bucket, labels.filter { !$0.1.isEmpty } + marks + fixedTags)
  }

  private var fixedTags: [(String, String)] { options.fixed.map { ($0.name, $0.value) } }

  private static func start(_ measurement: String, _ tags: [(String, String)]) -> [UInt8] {
    var text = word(measurement, escaping: [",", " "])
    // A line that starts with `#` is a comment.
    if text.first == UInt8(ascii: "#") { text[0] = UInt8(ascii: "_") }
    for (name, value) in tags {
      text.append(UInt8(ascii: ","))
      text += word(name, escaping: [",", "=", " "])
      text.append(UInt8(ascii: "="))
      text += word(value, escaping: [",", "=", " "])
    }
    text.append(UInt8(ascii: " "))
    return text
  }

  private static func append(fieldsOf row: PayloadRows.Row, to output: inout [UInt8]) {
    func text(_ name: String, _ value: String) {
      output += "\(name)=".utf8
      append(quoting: Array(value.utf8)[...], to: &output)
      output.append(UInt8(ascii: ","))
    }
    text("payload", row.payload)
    if !row.unit.isEmpty { text("unit", row.unit) }
    func number(_ name: String, _ value: Double) {
      output += "\(name)=".utf8
      Decimals.append(value, to: &output)
      output.append(UInt8(ascii: ","))
    }
    switch row.value {
    case .number(let value): number("value", value)
    case .text(let value): text("\(row.field)_text", value)
    case .bin(let lower, let upper, let count):
      number("lower", lower)
      number("upper", upper)
      output += "count=\(count)i,".utf8
    case .frame(let frame, let samples):
      text("frame_place", String(row.field.dropFirst(6)))
      text("frame_text", frame)
      if let samples { output += "count=\(samples)i,".utf8 }
    }
    output[output.count - 1] = UInt8(ascii: " ")
  }

  package mutating func meet(_ metric: MetricIdentity) {
    let start = Self.start(metric.bucket ?? "metrics", [("name", metric.name)] + fixedTags)
    var type = metric.typeName[...]
    if type.hasPrefix("Optional<"), type.hasSuffix(">") { type = type.dropFirst(9).dropLast() }
    metrics.append(Metric(start: start, isWhole: Self.wholeTypes.contains(String(type))))
  }

  package mutating func append(
    _ sample: ExportSample, to output: inout [UInt8]
  ) throws(FileFailure) -> Bool {
    guard let nanoseconds = ExportTime.unixNanoseconds(sample.time) else { return false }
    let metric = metrics[sample.metric]
    let count = output.count
    output += metric.start
    let fields = output.count
    if sample.kind == .object {
      // A reader keeps only one of two equal keys in a line.
      var keys: DistinctNames<[UInt8]>? = DistinctNames()
      StructFields.forEachScalar(in: sample.payload) { name, value in
        let name = Self.word(name, escaping: [",", "=", " "])
        Self.append(
          field: name, value.kind, value.number, value.payload, isWhole: false, among: &keys, to: &output)
      }
    } else {
      var keys: DistinctNames<[UInt8]>?
      Self.append(
        field: Self.plainField, sample.kind, sample.number, sample.payload, isWhole: metric.isWhole,
        among: &keys, to: &output)
    }
    guard output.count > fields else {
      output.removeLast(output.count - count)
      return false
    }
    output[output.count - 1] = UInt8(ascii: " ")
    output += "\(nanoseconds)\n".utf8
    return true
  }

  /// Appends a field with a comma after it; nothing for values that the format cannot express.
  ///
  /// - Parameter keys: the keys of the line so far; `nil` for its only field.
  private static func append(
    field name: [UInt8], _ kind: SampleKind, _ number: Double, _ payload: ArraySlice<UInt8>, isWhole: Bool,
    among keys: inout DistinctNames<[UInt8]>?, to output: inout [UInt8]
  ) {
    func key(_ ending: String) {
      if let distinct = keys?.next({ name + $0.utf8 + ending.utf8 }) { return output += distinct }
      output += name
      output += ending.utf8
    }
    switch kind {
    case .number, .wideInteger:
      // The digits of a wide integer are in the payload; other whole numbers fit into a double.
      let whole = kind == .number ? Int64(exactly: number) : Int64(String(decoding: payload, as: UTF8.self))
      if isWhole, let whole {
        key("_int=")
        output += "\(whole)i".utf8
      } else {
        key(endings.contains { name.suffix($0.count).elementsEqual($0) } ? "_number=" : "=")
        Decimals.append(number, to: &output)
      }
    case .bool:
      key("_bool=")
      output += number != 0 ? "true".utf8 : "false".utf8
    case .text:
      key("_text=")
      append(quoting: ExportText.utf8(payload), to: &output)
    case .null, .object, .array: return
    }
    output.append(UInt8(ascii: ","))
  }

  private static func append(quoting text: ArraySlice<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in text {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    }
    output.append(UInt8(ascii: "\""))
  }

  /// A name outside quotes, in which no character can end the line and no backslash can escape the following text.
  private static func word(_ text: String, escaping escaped: Set<Unicode.Scalar>) -> [UInt8] {
    var word: [UInt8] = []
    for scalar in text.unicodeScalars {
      if escaped.contains(scalar) {
        // Readers disagree about two backslashes before a character: for some, the character then ends the word.
        if word.last == UInt8(ascii: "\\") { word[word.count - 1] = UInt8(ascii: "_") }
        word.append(UInt8(ascii: "\\"))
      }
      word += scalar.value < 0x20 || scalar.value == 0x7F ? [UInt8(ascii: "_")] : Array(String(scalar).utf8)
    }
    if word.last == UInt8(ascii: "\\") { word[word.count - 1] = UInt8(ascii: "_") }
    return word.isEmpty ? [UInt8(ascii: "_")] : word
  }
}
