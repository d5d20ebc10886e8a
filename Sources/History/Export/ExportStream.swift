package import JSONLines
package import Platform

/// From scanned samples to the bytes of a form, sample by sample as they come.
///
/// Bytes are appended to what the caller passes in and empties now and then.
package struct ExportStream {
  /// Which samples are written.
  package struct Filter: Sendable {
    /// From this moment on.
    package var since: Timestamp
    /// Up to this moment and with it.
    package var until: Timestamp
    package var admits: @Sendable (MetricIdentity) -> Bool
    /// Asked of each sample of an admitted metric, with its payload; `nil` to take all of them.
    package var chooses: (@Sendable (Sample, MetricIdentity, ArraySlice<UInt8>) -> Bool)?

    package init(
      since: Timestamp = .distantPast, until: Timestamp = .distantFuture,
      admits: @escaping @Sendable (MetricIdentity) -> Bool = { _ in true }
    ) {
      self.since = since
      self.until = until
      self.admits = admits
    }
  }

  /// How many samples were written.
  package private(set) var written = 0
  /// How many more would have been, had the form a place for them.
  package private(set) var omitted = 0

  private let filter: Filter
  private var writer: any ExportWriter
  /// The writer's numbers of metrics, and by the scanner's numbers: -1 for one that is not written.
  private var known: [MetricIdentity: Int] = [:]
  private var numbers: [Int] = []

  package init(_ writer: any ExportWriter, filter: Filter = Filter()) {
    self.writer = writer
    self.filter = filter
  }

  /// The text before all samples.
  package var head: [UInt8] { writer.head }

  /// The samples to come are from another scanner.
  package mutating func beginSource() {
    numbers = []
  }

  /// Takes in samples.
  ///
  /// - Parameters:
  ///   - chunk: The bytes that hold their lines whole, which begin at `offset` in the file.
  package mutating func take(
    _ batch: SampleBatch, _ catalogue: MetricCatalogue, chunk: UnsafeRawBufferPointer, at offset: UInt64,
    into output: inout [UInt8]
  ) throws(FileFailure) {
    for index in numbers.count..<max(numbers.count, catalogue.count) {
      numbers.append(number(of: catalogue[MetricID(rawValue: Int32(truncatingIfNeeded: index))]))
    }
    let wantsLines = writer.wantsLines
    // A line of many samples is written once.
    var writtenLine: UnsafeRawPointer?
    for sample in batch.samples {
      let metric = numbers[Int(sample.metric.rawValue)]
      guard metric >= 0, sample.time >= filter.since, sample.time <= filter.until else { continue }
      let payload = batch.payload(of: sample)
      if let chooses = filter.chooses, !chooses(sample, catalogue[sample.metric], payload) { continue }
      var export = ExportSample(
        metric: metric, time: sample.time, kind: sample.kind, number: sample.value, payload: payload)
      if wantsLines {
        export.line = Self.line(at: sample.offset, in: chunk, at: offset)
        if let start = export.line.baseAddress, start == writtenLine {
          written += 1
          continue
        }
        writtenLine = export.line.baseAddress
      }
      if try writer.append(export, to: &output) { written += 1 } else { omitted += 1 }
    }
  }

  /// Writes the end after all samples, or the samples themselves if they had to be collected first.
  package mutating func finish(_ emit: ([UInt8]) throws -> Void) throws {
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

  /// The line that a place lies in.
  private static func line(
    at start: UInt64, in chunk: UnsafeRawBufferPointer, at offset: UInt64
  ) -> UnsafeRawBufferPointer {
    guard start >= offset, let place = Int(exactly: start - offset), place < chunk.count else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    // A line of many samples has them at places inside it.
    let before = UnsafeRawBufferPointer(rebasing: chunk[..<place]).lastNewline.map { $0 + 1 } ?? 0
    let isInside = chunk[before..<place].contains { $0 != 0 }
    let rest = UnsafeRawBufferPointer(rebasing: chunk[(isInside ? before : place)...])
    return UnsafeRawBufferPointer(rebasing: rest[..<(rest.firstNewline ?? rest.count)])
  }
}
