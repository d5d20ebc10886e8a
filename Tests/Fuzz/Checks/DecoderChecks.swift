import Foundation

@testable import JSONLines

/// Checks of the scanner's decoders.
package enum DecoderChecks {
  /// A line reads the same by every decoder that takes it, and Foundation's judgement is final.
  package static func line(_ input: UnsafeRawBufferPointer) -> String? {
    // Zeros before a line do not belong to it.
    guard input.first != 0, !input.contains(0x0A),
      input.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D })
    else {
      return nil
    }
    let readings = decodings(input)
    let first = readings[0]
    for (reading, way) in zip(readings, ["first", "again", "by its shape", "alone"]) where reading != first {
      return "read \(way): \(String(describing: reading)), first: \(String(describing: first))"
    }
    return disagreement(of: first, with: input)
  }

  /// The line as a metric's first one, again, by its shape, and as the last of a chunk.
  static func decodings(_ line: UnsafeRawBufferPointer) -> [ScannerReading.Read?] {
    let whole = Array(line) + [0x0A]
    let text = whole + whole + whole + [UInt8](repeating: 0x0A, count: FileScan.slack) + whole
    let reading = text.withUnsafeBytes { ScannerReading($0, sizes: [.max]) }
    let starts = [0, whole.count, 2 * whole.count, text.count - whole.count]
    return starts.map(UInt64.init).map { start in
      reading.samples.first { $0.offset == start }.map {
        .init(
          metric: $0.metric, time: $0.time, value: $0.value, kind: $0.kind, offset: 0, payload: $0.payload)
      }
    }
  }

  private static func disagreement(
    of sample: ScannerReading.Read?, with line: UnsafeRawBufferPointer
  ) -> String? {
    // A file from Windows: the carriage return belongs to the newline.
    let whole = line.last == 0x0D ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
    // Several records, or brackets and commas around one, are for us alone.
    let record = sample == nil ? 0..<whole.count : LineStart.record(at: 0, in: whole)
    let line = UnsafeRawBufferPointer(rebasing: whole[record])
    // Of Foundation's tolerance the bytes that are no UTF-8 are left out, whatever member they stand in.
    let isUTF8 = String(validating: line, as: UTF8.self) != nil
    let judge = isUTF8 ? FoundationReading(line: Data(line), takesLast: true) : nil
    guard let sample else {
      guard let judge, ValueChecks.isReadable(judge.json) else { return nil }
      return "refused, but Foundation reads \(judge)"
    }
    guard let judge else {
      // A line of another program is no metric to the judge; the target of such lines judges it.
      if sample.metric.isForeign { return nil }
      return ValueChecks.hasUnderflow(line) ? nil : "read as \(sample), but Foundation refuses it"
    }
    let metric = MetricIdentity(bucket: judge.bucket, name: judge.name, typeName: judge.typeName)
    guard sample.metric == metric, sample.time == judge.time.bitPattern else {
      return "read as \(sample), by Foundation as \(judge)"
    }
    return ValueChecks.disagreement(
      kind: sample.kind, number: Double(bitPattern: sample.value), payload: sample.payload, with: judge.json)
  }

  /// The JSON of a value reads as Foundation reads it.
  static func value(_ input: UnsafeRawBufferPointer) -> String? {
    do throws(LineFault) {
      let value = try ValueText(json: Array(input))
      return ValueChecks.disagreement(
        kind: value.kind, number: value.number, payload: Array(value.payload), with: Data(input))
    } catch {
      return ValueChecks.isReadable(Data(input)) ? "refused as \(error.reason)" : nil
    }
  }

  /// Walking over the fields of an object ends, and gives finite numbers.
  static func fields(_ input: UnsafeRawBufferPointer) -> String? {
    var complaint: String?
    StructFields.forEach(in: Array(input)[...]) { name, value in
      if case .number(let number) = value, !number.isFinite { complaint = "\(name) is \(number)" }
    }
    return complaint
  }
}

/// How our reading of a value may differ from Foundation's.
enum ValueChecks {
  /// True if we have to read what Foundation reads: all but UTF-16, UTF-32, byte order marks, a comma behind the last
  /// element, and what is not valid JSON in a place where only its other decoder looks, such as below a repeated key.
  static func isReadable(_ json: Data) -> Bool {
    !json.contains(0) && !hasTrailingComma(json) && !json.starts(with: [0xEF, 0xBB, 0xBF])
      && String(validating: json, as: UTF8.self) != nil
      && FoundationValue(json: json) != nil
      && (try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)) != nil
  }

  private static func hasTrailingComma(_ json: Data) -> Bool {
    var isBehindComma = false
    for byte in json where !" \t\r\n".utf8.contains(byte) {
      if isBehindComma, byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { return true }
      isBehindComma = byte == UInt8(ascii: ",")
    }
    return false
  }

  /// True if a number in the text may be too small for a double, so that Foundation calls the whole text no JSON.
  static func hasUnderflow(_ text: UnsafeRawBufferPointer) -> Bool {
    text.split { !"+-.0123456789eE".utf8.contains($0) }.contains { number in
      let value = Double(String(decoding: number, as: UTF8.self))
      return value == 0 && number.contains { (0x31...0x39).contains($0) }
    }
  }

  /// The fault of a value that was read, by Foundation's reading of its JSON.
  static func disagreement(kind: SampleKind, number: Double, payload: [UInt8], with json: Data) -> String? {
    let judge = FoundationValue(json: json)
    let agrees =
      switch (kind, judge) {
      case (.number, .number(let other)?), (.wideInteger, .number(let other)?):
        number.bitPattern == other.bitPattern
      case (.bool, .bool(let flag)?): number == (flag ? 1 : 0)
      // Where Foundation refuses a number too small for a double, we round as `strtod` does.
      case (.number, nil): number == 0 && json.withUnsafeBytes(hasUnderflow)
      case (.null, .null?): true
      case (.text, .text(let text)?): Array(text.utf8) == payload
      // Numbers that no double holds are only refused where one is asked for.
      case (.object, .object?), (.array, .array?), (.object, nil), (.array, nil): true
      default: false
      }
    return agrees ? nil : "\(kind) \(number) \(payload), by Foundation \(String(describing: judge))"
  }
}
