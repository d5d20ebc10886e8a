import Foundation
import JSONLines
import Telemetry

/// Tells files of payloads from metrics files by how they begin.
enum PayloadRecognition {
  /// What a file seems to be.
  enum Kind {
    /// It begins with a sample.
    case metrics
    /// It has a key of payloads.
    case payloads
    /// Neither.
    case other
  }

  /// Whether what begins so holds payloads.
  static func isOfPayloads(_ head: some Collection<UInt8>) -> Bool {
    !MetricLines.begin(head) && PayloadReader.recognises(head)
  }

  /// What a file is, packed or not, with how it begins.
  ///
  /// - Throws: `POSIXError` if it cannot be read.
  static func kind(ofFile path: String) throws -> (kind: Kind, head: [UInt8]) {
    var head = try MetricLines.head(of: path)
    if head.starts(with: Gunzip.magic) {
      // The end is missing, of course; what came out before is what a file begins with.
      let unpacked = (try? Gunzip(limit: PayloadBytes.limit).unpack(head))?.bytes ?? []
      head = Array(unpacked.prefix(MetricLines.headSize))
    }
    if MetricLines.begin(head) { return (.metrics, head) }
    return (PayloadReader.recognises(head) ? .payloads : .other, head)
  }
}
