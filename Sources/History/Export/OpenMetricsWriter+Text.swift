import JSONLines
import Platform

extension OpenMetricsWriter {
  package mutating func finish(_ emit: ([UInt8]) throws -> Void) throws {
    var output: [UInt8] = []
    var current: (family: UInt32?, member: UInt32?) = (nil, nil)
    var labels: [UInt8] = []
    // Moved out of `self`, because the closure below reads other properties of `self`.
    var sorter = RecordSorter(temporaryFolder: "")
    swap(&sorter, &self.sorter)
    try sorter.forEach { key, text, figure in
      let family = families[Int(key.group)]
      if key.member != current.member || key.group != current.family {
        labels = self.labels(of: Int(key.member), in: family)
      }
      if key.group != current.family {
        output += "# TYPE \(family.name) \(family.hasText ? "unknown" : "gauge")\n".utf8
      }
      current = (key.group, key.member)
      Self.append(family.name, labels, text, figure, Timestamp(key.time), to: &output)
      guard output.count > 1 << 18 else { return }
      try emit(output)
      output.removeAll(keepingCapacity: true)
    }
    output += "# EOF\n".utf8
    try emit(output)
  }

  package func write(_ payloads: PayloadArchive, _ emit: ([UInt8]) throws -> Void) throws {
    try OpenMetricsPayloads(payloads, options).write(avoiding: Set(families.map(\.name)), emit)
  }

  static func append(
    _ name: String, _ labels: [UInt8], _ text: ArraySlice<UInt8>?, _ figure: ArraySlice<UInt8>,
    _ time: Timestamp,
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

  /// Labels that distinguish a series in its family.
  private func labels(of number: Int, in family: Family) -> [UInt8] {
    let series = series[number]
    let identity = metrics[series.metric]
    var parts: [(String, String?)] = []
    if family.isShared || !family.isPlain {
      parts += [
        ("bucket", identity.bucket), ("name", identity.name), ("type", identity.typeName),
        ("field", series.field),
      ]
    }
    var labels = Self.labels(options.fixed)
    for case (let name, let text?) in parts {
      if !labels.isEmpty { labels.append(UInt8(ascii: ",")) }
      Self.append(label: name, Array(text.utf8)[...], to: &labels)
    }
    return labels
  }

  /// The labels of every sample.
  static func labels(_ fixed: [ExportOptions.Label]) -> [UInt8] {
    var labels: [UInt8] = []
    for label in fixed {
      if !labels.isEmpty { labels.append(UInt8(ascii: ",")) }
      append(label: label.name, Array(label.value.utf8)[...], to: &labels)
    }
    return labels
  }

  static func append(label name: String, _ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
    output += name.utf8
    output += "=\"".utf8
    append(escaping: text, to: &output)
    output.append(UInt8(ascii: "\""))
  }

  static func append(escaping text: ArraySlice<UInt8>, to output: inout [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: "\""): output += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): output += "\\n".utf8
      default: output.append(byte)
      }
    }
  }
}
