package import Platform

/// All payload data in the files: the entries of the bucket `payload`, grouped by payload.
///
/// Holds only what the lines say. Conclusions are left to the library Telemetry, which this module does not depend on.
package struct PayloadArchive: Sendable, Equatable {
  /// The bucket of payload entries.
  package static let bucket = "payload"

  /// True for the metrics of payloads, which are recorded as a whole once their time is over.
  package static func holds(bucket: String?, typeName: String) -> Bool {
    bucket == self.bucket && typeName.hasPrefix("Payload")
  }

  /// A figure that at least one payload has.
  package struct Figure: Hashable, Sendable {
    /// The name, such as `applicationLaunchMetrics.histogrammedTimeToFirstDraw`.
    package let name: String
    /// The unit in Apple's spelling: `ms`, `sec`, `kB`, `count`, `bars`.
    package let unit: String

    package init(name: String, unit: String) {
      (self.name, self.unit) = (name, unit)
    }
  }

  /// A bin as recorded; its bounds are in the unit of the figure, as written.
  package struct Bin: Hashable, Sendable {
    package let start: Double
    package let end: Double
    package let count: Int

    package init(start: Double, end: Double, count: Int) {
      (self.start, self.end, self.count) = (start, end, count)
    }
  }

  package enum Value: Hashable, Sendable {
    case number(Double)
    case bins([Bin])
  }

  /// The figures of one payload for one version: a device-day.
  package struct Payload: Sendable, Equatable {
    /// The version of the app; empty if none is named.
    package var version = ""
    /// Begin and end of the period covered, as written.
    package var begin = ""
    package var end = ""
    package var isMixed = false
    package var isSimulated = false
    /// The name of its file and the hash of its content, as recorded: `day.json#1f…`.
    package var source = ""
    /// The time it was recorded for.
    package var time = Timestamp(0)
    /// Indices in ``PayloadArchive/figures`` with their values; a figure of diagnostics may occur many times.
    package var values: [(figure: Int, value: Value)] = []
    /// Other recorded facts of the payload by name: `os`, `device`, `region`, `localized`.
    package var facts: [String: String] = [:]

    package init() {}

    package static func == (left: Payload, right: Payload) -> Bool {
      (left.version, left.begin, left.end, left.source) == (
        right.version, right.begin, right.end, right.source
      )
        && (left.isMixed, left.isSimulated, left.time, left.facts)
          == (right.isMixed, right.isSimulated, right.time, right.facts)
        && left.values.elementsEqual(right.values) { $0.figure == $1.figure && $0.value == $1.value }
    }
  }

  /// The line of a diagnostic, which the library Telemetry reads.
  package struct Diagnostic: Sendable, Equatable {
    /// The name of its metric: `hangDiagnostics.callStackTree`.
    package let kind: String
    /// The time it was recorded for.
    package let time: Timestamp
    /// The JSON of its value.
    package private(set) var json: [UInt8]
    /// Facts beside those of its payload, such as the side that it is on.
    package var facts: [String: String] = [:]

    package init(kind: String, time: Timestamp, json: [UInt8]) {
      (self.kind, self.time, self.json) = (kind, time, json)
    }

    /// Replaces the JSON, for example by one with the functions of its call stacks; `nil` keeps it.
    package mutating func replaceJSON(_ replacement: (_ kind: String, _ json: [UInt8]) -> [UInt8]?) {
      if let json = replacement(kind, json) { self.json = json }
    }
  }

  /// In order of first appearance.
  package var figures: [Figure] = []
  /// By time, then by source and version.
  package var payloads: [Payload] = []
  package var diagnostics: [Diagnostic] = []
  /// Lines of the bucket that could not be understood.
  package var unread = 0
  /// Number of diagnostics left out to save memory.
  package var leftOut = 0

  package init() {}
}
