import Codecs
import Platform

@testable import JSONLines

/// Checks of the reader of other programs' lines and of the mappings that a person writes.
enum ForeignChecks {
  /// A line taken for a log is JSON, gives sound JSON, and is no line of MisterMetrics.
  static func line(_ input: UnsafeRawBufferPointer) -> String? {
    if case .failure(let complaint) = read(input, nil) { return complaint.text }
    if let complaint = wrapped(input) { return complaint }
    // The advice can be given, and reads the line where the line is whole.
    let advice = LineAdvice(excerpt: Array(input.prefix(200)))
    guard let mapping = advice.mapping else { return nil }
    guard let parsed = try? LineMapping.parse(mapping.text), parsed == mapping else {
      return "the advice \(mapping.text) is no mapping"
    }
    return nil
  }

  /// With anything around it, each sample of the lines lies in them and each struct is sound JSON.
  private static func wrapped(_ input: UnsafeRawBufferPointer) -> String? {
    Array(input).withUnsafeBytes { input in
      var (scanner, batch) = (SampleScanner(), SampleBatch())
      scanner.scan(input, into: &batch)
      scanner.finish(into: &batch)
      for sample in batch.samples {
        let payload = batch.payload(of: sample)
        switch true {
        case !sample.time.seconds.isFinite: return "the time is \(sample.time)"
        case sample.offset >= UInt64(max(1, input.count)): return "the offset is \(sample.offset)"
        case scanner.catalogue[sample.metric].isForeign && sample.kind == .object
          && !payload.withUnsafeBytes(isObject):
          return "the struct \(String(decoding: payload, as: UTF8.self)) is not valid JSON"
        default: continue
        }
      }
      return nil
    }
  }

  /// The first line is a mapping, the rest is read by it.
  static func mapping(_ input: UnsafeRawBufferPointer) -> String? {
    let end = input.firstIndex(of: 0x0A) ?? input.count
    let text = String(decoding: input[..<end], as: UTF8.self)
    let mapping: LineMapping
    do throws(LineMappingError) { mapping = try LineMapping.parse(text) } catch {
      return error.message.isEmpty ? "\(text) is refused without words" : nil
    }
    guard let again = try? LineMapping.parse(mapping.text), again == mapping else {
      return "\(text) is written as \(mapping.text), which is another mapping"
    }
    for line in input[end...].dropFirst().split(separator: 0x0A) {
      if case .failure(let complaint) = read(UnsafeRawBufferPointer(rebasing: line), mapping) {
        return complaint.text
      }
    }
    return nil
  }

  private struct Complaint: Error {
    let text: String
  }

  private static func read(_ line: UnsafeRawBufferPointer, _ mapping: LineMapping?) -> Result<Void, Complaint>
  {
    // A copy of its own, so that the address sanitizer sees a read past its end.
    Array(line).withUnsafeBytes { line in
      var reader = ForeignReader()
      reader.mapping = mapping
      var (catalogue, batch) = (MetricCatalogue(), SampleBatch())
      let result = Result { () throws(LineFault) in
        try reader.read(line, at: 7, &catalogue, into: &batch)
      }
      guard case .success(true) = result, let sample = batch.samples.first else { return .success(()) }
      let payload = batch.payload(of: sample)
      switch true {
      case EntryLine(line) != nil: return .failure(Complaint(text: "a line of MisterMetrics is a log"))
      case !isObject(line): return .failure(Complaint(text: "a log's line is not a JSON object"))
      case !sample.time.seconds.isFinite: return .failure(Complaint(text: "the time is \(sample.time)"))
      case sample.offset < 7: return .failure(Complaint(text: "the offset is \(sample.offset)"))
      case sample.kind == .object && !payload.withUnsafeBytes(isObject):
        return .failure(
          Complaint(text: "the struct \(String(decoding: payload, as: UTF8.self)) is not valid JSON"))
      default: return .success(())
      }
    }
  }

  /// By another reader than that of logs.
  private static func isObject(_ json: UnsafeRawBufferPointer) -> Bool {
    JSONToken.forEachMember(of: json) { _, _ in }
  }
}
