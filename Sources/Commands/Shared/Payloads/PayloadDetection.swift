import Essentials
import JSONLines
import TelemetryCore

/// Tells payload files from metrics files by how they start.
enum PayloadDetection {
  /// The apparent kind of a file.
  enum Kind {
    /// It starts with a sample.
    case metrics
    /// It has a key of payloads.
    case payloads
    /// Neither.
    case other
  }

  /// True if a file that starts like this contains payloads.
  static func isOfPayloads(_ head: some Collection<UInt8>) -> Bool {
    !MetricLines.begin(head) && PayloadReader.recognises(head)
  }

  /// The kind of a file, compressed or not, and how it starts.
  ///
  /// - Throws: `POSIXError` if it cannot be read.
  static func kind(ofFile path: String) throws -> (kind: Kind, head: [UInt8]) {
    var head = try MetricLines.head(of: path)
    if head.starts(with: Gunzip.magic) {
      // The end is missing, of course; what was decompressed before it is the start of the file.
      let unpacked = (try? Gunzip(limit: PayloadBytes.limit).unpack(head))?.bytes ?? []
      head = Array(unpacked.prefix(MetricLines.headSize))
    }
    if MetricLines.begin(head) { return (.metrics, head) }
    return (PayloadReader.recognises(head) ? .payloads : .other, head)
  }
}
