import Codecs
import Essentials
package import JSONLines
package import Platform

/// Converts scanned samples to the bytes of a format, sample by sample.
///
/// Bytes are appended to a buffer of the caller, which empties it from time to time.
package struct ExportStream {
  /// Selects the samples to write.
  package struct Filter: Sendable {
    /// The earliest time, inclusive.
    package var since: Timestamp
    /// The latest time, inclusive.
    package var until: Timestamp
    package var admits: @Sendable (MetricIdentity) -> Bool
    /// Called for each sample of an admitted metric, with its payload; `nil` accepts all of them.
    package var chooses: (@Sendable (Sample, MetricIdentity, ArraySlice<UInt8>) -> Bool)?
    /// Called for each sample that is written, with its payload: the JSON to write in its place; `nil` keeps it.
    package var replaces: (@Sendable (MetricIdentity, ArraySlice<UInt8>) -> [UInt8]?)?

    package init(
      since: Timestamp = .distantPast, until: Timestamp = .distantFuture,
      admits: @escaping @Sendable (MetricIdentity) -> Bool = { _ in true }
    ) {
      self.since = since
      self.until = until
      self.admits = admits
    }
  }

  /// Number of samples written.
  package private(set) var written = 0
  /// Number of samples left out because the format cannot express them.
  package private(set) var omitted = 0

  private let filter: Filter
  private var writer: any ExportWriter
  /// The writer's numbers of metrics, by metric and by the scanner's numbers; -1 for a metric that is not written.
  private var known: [MetricIdentity: Int] = [:]
  private var numbers: [Int] = []
  private var hasHead = false
  /// The lines of payloads, which are written together.
  private var payloads = PayloadAccumulator()
  /// The roles of the scanner's metrics for payloads.
  private var roles: [PayloadRole] = []
  private var source = 0

  package init(_ writer: any ExportWriter, filter: Filter = Filter()) {
    self.writer = writer
    self.filter = filter
  }

  /// The text before all samples, unless it was taken already.
  package mutating func head() -> [UInt8] {
    guard !hasHead else { return [] }
    hasHead = true
    return writer.head(hasPayloads: roles.contains { $0 != .other })
  }

  /// Prepares for samples of another scanner.
  package mutating func beginSource() {
    (numbers, roles) = ([], [])
    source += 1
  }

  /// Writes the samples that pass the filter.
  ///
  /// - Parameters:
  ///   - chunk: the bytes that hold the samples' lines completely, which begin at `offset` in the file.
  package mutating func take(
    _ batch: SampleBatch, _ catalogue: MetricCatalogue, chunk: UnsafeRawBufferPointer, at offset: UInt64,
    into output: inout [UInt8]
  ) throws(FileFailure) {
    for index in numbers.count..<max(numbers.count, catalogue.count) {
      let metric = catalogue[MetricID(rawValue: Int32(truncatingIfNeeded: index))]
      numbers.append(number(of: metric))
      roles.append(PayloadRole(metric))
    }
    if !batch.samples.isEmpty { output += head() }
    let takesPayloads = writer.takesPayloads && roles.contains { $0 != .other }
    if takesPayloads { takePayloads(batch, catalogue) }
    let wantsLines = writer.wantsLines
    // A line with several samples is written once.
    var writtenLine: UnsafeRawPointer?
    for sample in batch.samples {
      let metric = numbers[Int(sample.metric.rawValue)]
      if takesPayloads, roles[Int(sample.metric.rawValue)] != .other { continue }
      guard metric >= 0, sample.time >= filter.since, sample.time <= filter.until else { continue }
      let payload = batch.payload(of: sample)
      if let chooses = filter.chooses, !chooses(sample, catalogue[sample.metric], payload) { continue }
      var export = ExportSample(
        metric: metric, time: sample.time, kind: sample.kind, number: sample.value, payload: payload)
      let replacement = filter.replaces?(catalogue[sample.metric], payload)
      if let replacement { export.payload = replacement[...] }
      if wantsLines {
        export.line = Self.line(at: sample.offset, in: chunk, at: offset)
        if let start = export.line.baseAddress, start == writtenLine {
          written += 1
          continue
        }
        writtenLine = export.line.baseAddress
      }
      try write(export, replacement, into: &output)
    }
  }

  /// Collects the lines of payloads that pass the filter, and all documents, which state where the others are from.
  private mutating func takePayloads(_ batch: SampleBatch, _ catalogue: MetricCatalogue) {
    let part = batch.filtered { sample in
      let index = Int(sample.metric.rawValue)
      switch roles[index] {
      case .other, .unknown: return false
      case .document: return true
      case .original:
        if passes(sample, index, batch, catalogue) { written += 1 }
        return false
      case .histogram, .scalar, .diagnostic:
        guard passes(sample, index, batch, catalogue) else { return false }
        written += 1
        return true
      }
    }
    payloads.add(part, catalogue, file: source)
  }

  private func passes(_ sample: Sample, _ index: Int, _ batch: SampleBatch, _ catalogue: MetricCatalogue)
    -> Bool
  {
    guard numbers[index] >= 0, sample.time >= filter.since, sample.time <= filter.until else { return false }
    return filter.chooses?(sample, catalogue[sample.metric], batch.payload(of: sample)) ?? true
  }

  private mutating func write(
    _ sample: ExportSample, _ replacement: [UInt8]?, into output: inout [UInt8]
  ) throws(FileFailure) {
    var sample = sample
    let isWritten: Bool
    if writer.wantsLines, let replacement, let line = Self.line(Array(sample.line), with: replacement) {
      isWritten = try line.withTypedBytes { bytes throws(FileFailure) in
        sample.line = bytes
        return try writer.append(sample, to: &output)
      }
    } else {
      isWritten = try writer.append(sample, to: &output)
    }
    if isWritten { written += 1 } else { omitted += 1 }
  }

  /// A recorded line with another value; `nil` if it is not in the form that MisterMetrics writes.
  private static func line(_ line: [UInt8], with value: [UInt8]) -> [UInt8]? {
    guard var fields = (try? JSONValue(line))?.fields, fields["value"]?.text != nil else { return nil }
    fields["value"] = .string(Data(value).base64EncodedString())
    return Array(JSONValue.object(fields).compactText.utf8)
  }

  /// Writes the end after all samples, or the samples themselves if they had to be collected first.
  package mutating func finish(_ emit: ([UInt8]) throws -> Void) throws {
    var archive = payloads.outcome
    if let replaces = filter.replaces {
      for place in archive.diagnostics.indices {
        archive.diagnostics[place].replaceJSON { kind, json in
          let metric = MetricIdentity(
            bucket: PayloadArchive.bucket, name: kind, typeName: PayloadRole.diagnosticType)
          return replaces(metric, json[...])
        }
      }
    }
    let lost = archive.unread + archive.leftOut
    (written, omitted) = (max(0, written - lost), omitted + lost)
    if writer.takesPayloads, !archive.payloads.isEmpty || !archive.diagnostics.isEmpty {
      try writer.write(archive, emit)
    }
    try writer.finish(emit)
  }

  private mutating func number(of metric: MetricIdentity) -> Int {
    guard filter.admits(metric) else { return -1 }
    if let number = known[metric] { return number }
    let number = known.count
    known[metric] = number
    writer.meet(metric)
    return number
  }

  /// The line that contains an offset, or the record if the line holds more than one.
  private static func line(
    at start: UInt64, in chunk: UnsafeRawBufferPointer, at offset: UInt64
  ) -> UnsafeRawBufferPointer {
    guard start >= offset, let place = Int(exactly: start - offset), place < chunk.count else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    // If a line has several samples, their offsets lie inside it.
    let before = UnsafeRawBufferPointer(rebasing: chunk[..<place]).lastNewline.map { $0 + 1 } ?? 0
    let isInside = chunk[before..<place].contains { $0 != 0 }
    let begin = isInside ? before : place
    let rest = UnsafeRawBufferPointer(rebasing: chunk[begin...])
    let line = UnsafeRawBufferPointer(rebasing: rest[..<(rest.firstNewline ?? rest.count)])
    return UnsafeRawBufferPointer(rebasing: line[LineStart.record(at: UInt64(place - begin), in: line)])
  }
}
