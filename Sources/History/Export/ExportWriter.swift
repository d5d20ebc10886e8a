import Codecs
package import JSONLines
package import Platform

/// Writes samples in one format.
package protocol ExportWriter {
  /// True if samples must come with their lines.
  var wantsLines: Bool { get }
  /// True if payloads are written at the end, from all of their lines together.
  var takesPayloads: Bool { get }
  /// The text before all samples.
  ///
  /// - Parameter hasPayloads: True if payloads are among the first samples.
  mutating func head(hasPayloads: Bool) -> [UInt8]
  /// Registers a metric; metrics are numbered from 0 in the order of these calls.
  mutating func meet(_ metric: MetricIdentity)
  /// Appends a sample.
  ///
  /// - Returns: true if the format can express the sample; otherwise it is left out.
  mutating func append(_ sample: ExportSample, to output: inout [UInt8]) throws(FileFailure) -> Bool
  /// Writes the payloads, after all other samples were taken.
  mutating func write(_ payloads: PayloadArchive, _ emit: ([UInt8]) throws -> Void) throws
  /// Writes the end after all samples, or the samples themselves if they had to be collected first.
  mutating func finish(_ emit: ([UInt8]) throws -> Void) throws
}

extension ExportWriter {
  package var wantsLines: Bool { false }
  package var takesPayloads: Bool { false }
  package mutating func head(hasPayloads: Bool) -> [UInt8] { [] }
  package mutating func write(_ payloads: PayloadArchive, _ emit: ([UInt8]) throws -> Void) throws {}
  package mutating func finish(_ emit: ([UInt8]) throws -> Void) throws {}
}

extension ExportFormat {
  /// Creates a writer of this format.
  ///
  /// - Parameters:
  ///   - folder: the folder for temporary files, used if the samples do not fit into memory.
  ///   - payloads: the export of imported payloads.
  package func writer(
    temporaryFolder folder: String, payloads: ExportOptions = .init()
  ) -> any ExportWriter {
    switch self {
    case .csv: CSVWriter(payloads: payloads)
    case .jsonl: JSONLinesWriter()
    case .openmetrics: OpenMetricsWriter(temporaryFolder: folder, payloads: payloads)
    case .influx: InfluxWriter(payloads: payloads)
    case .metrickit: MemberWriter(member: "payload", ofMetric: "payload.json", in: "payload")
    }
  }
}

/// Writes the recorded lines byte for byte, each with a newline.
package struct JSONLinesWriter: ExportWriter {
  package init() {}

  package var wantsLines: Bool { true }
  package mutating func meet(_ metric: MetricIdentity) {}

  package mutating func append(
    _ sample: ExportSample, to output: inout [UInt8]
  ) throws(FileFailure) -> Bool {
    output.append(contentsOf: sample.line)
    output.append(UInt8(ascii: "\n"))
    return true
  }
}

/// Writes one member of the values of one metric, each on a line.
package struct MemberWriter: ExportWriter {
  private let member: String
  private let name: String
  private let bucket: String
  /// The numbers of the metric, one for each of its types.
  private var wanted: Set<Int> = []
  private var count = 0
  private var pieces = OriginalPieces()

  package init(member: String, ofMetric name: String, in bucket: String) {
    (self.member, self.name, self.bucket) = (member, name, bucket)
  }

  package mutating func meet(_ metric: MetricIdentity) {
    if metric.name == name, metric.bucket == bucket { wanted.insert(count) }
    count += 1
  }

  package mutating func append(
    _ sample: ExportSample, to output: inout [UInt8]
  ) throws(FileFailure) -> Bool {
    guard wanted.contains(sample.metric) else { return true }
    guard let value = pieces.take(sample.payload)?.fields?[member] else { return pieces.isOpen }
    output += value.compactText.utf8
    output.append(UInt8(ascii: "\n"))
    return true
  }
}
