import Essentials
import History
import JSONLines
import Platform
import TelemetryCore

/// Distinguishes payload files from metrics files by their first bytes.
enum PayloadDetection {
  /// The apparent kind of a file.
  enum Kind {
    /// The file starts with a sample.
    case metrics
    /// The file has a key that occurs in payloads.
    case payloads
    /// Neither.
    case other
  }

  /// True if a file with this head contains payloads.
  static func isOfPayloads(_ head: some Collection<UInt8>) -> Bool {
    !MetricLines.begin(head) && PayloadReader.recognises(head)
  }

  /// True if files hold recorded payloads and nothing else, by their first and last samples.
  static func areStoresOfPayloads(_ paths: [String]) -> Bool {
    !paths.isEmpty
      && paths.allSatisfy { path in
        guard path != "-", Posix.status(at: path)?.kind == .regular else { return false }
        return (try? MetricLines.ends(of: path))?.allSatisfy {
          MetricLines.areAll($0, in: PayloadArchive.bucket)
        }
          ?? false
      }
  }

  /// True if a file has payloads, or is empty and named as if it should have some.
  ///
  /// - Throws: `POSIXError` if the file cannot be read.
  static func mayHavePayloads(_ path: String) throws -> Bool {
    let (kind, head) = try kind(ofFile: path)
    let name = path.lowercased()
    return kind == .payloads
      || head.isEmpty && (name.hasByteSuffix(".json") || name.hasByteSuffix(".json.gz"))
  }

  /// The kind of a file, compressed or not, and its first bytes.
  ///
  /// - Throws: `POSIXError` if the file cannot be read.
  static func kind(ofFile path: String) throws -> (kind: Kind, head: [UInt8]) {
    var head = try MetricLines.head(of: path)
    if head.starts(with: Gunzip.magic) {
      // Fails at the truncated end, as expected; the data decompressed before it is the head of the file.
      let unpacked = (try? Gunzip(limit: PayloadBytes.limit).unpack(head))?.bytes ?? []
      head = Array(unpacked.prefix(MetricLines.headSize))
    }
    if MetricLines.begin(head) { return (.metrics, head) }
    return (PayloadReader.recognises(head) ? .payloads : .other, head)
  }
}
