import Aggregation
import Codecs

/// The labels of an export, and how imported payloads are written: what is known of them comes from outside this module.
package struct ExportOptions: Sendable {
  /// The unit of a family, and its size in the unit of the figure.
  package struct Unit: Hashable, Sendable {
    /// `seconds`, `bytes`; `nil` for plain numbers.
    package let name: String?
    /// Number of these units per recorded unit.
    package let factor: Double

    package init(_ name: String?, factor: Double = 1) {
      (self.name, self.factor) = (name, factor)
    }
  }

  /// A part of a diagnostic.
  package enum Member: Hashable, Sendable {
    case text(field: String, String)
    case number(field: String, Double, unit: String)
    /// A frame by the index of its stack and its place in it, with the number of samples.
    case frame(stack: Int, place: Int, text: String, samples: Int?)
  }

  /// A label of every sample, such as the host that recorded them.
  package struct Label: Hashable, Sendable {
    /// Letters, digits and `_`, not beginning with a digit: a name in all formats.
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    /// Names with a meaning in a format, or used by a writer.
    package static let reserved: Set<String> = [
      "bucket", "count", "field", "le", "lower", "multiple_versions", "name", "payload", "quantile",
      "simulated", "time",
      "timestamp", "type", "unit", "upper", "value",
    ]
  }

  /// The labels of every sample, as labels, tags or columns.
  package var fixed: [Label] = []
  /// The dimensions of payloads that become labels, tags or columns, in order; `nil` for those usual in the format.
  package var labels: [String]?
  /// True for single payloads in OpenMetrics instead of the sums of days.
  package var isEach = false
  /// The unit in which OpenMetrics has a figure.
  package var unit: @Sendable (PayloadArchive.Figure) -> Unit = { figure in
    figure.unit == "ms" ? Unit("seconds", factor: 1e-3) : Unit(figure.unit == "bars" ? "bars" : nil)
  }
  /// The parts of a recorded diagnostic, and the app version.
  package var members: @Sendable (PayloadArchive.Diagnostic) -> (version: String, parts: [Member]) = { _ in
    ("", [])
  }

  package init() {}
}

/// The origin of exported figures: label values by payload.
struct PayloadLabels {
  let names: [String]
  /// The short name of each payload, by the group of its source.
  private let shortNames: [String: String]
  private let facts: [String: PayloadArchive.Payload]

  init(_ names: [String], _ archive: PayloadArchive) {
    self.names = names
    let groups = archive.payloads.map { RecordedFigure.group(ofSource: $0.source) }
    facts = Dictionary(zip(groups, archive.payloads), uniquingKeysWith: { first, _ in first })
    // As short as distinct names allow.
    var length = 8
    while length < 16, Set(facts.keys.map { $0.prefix(length) }).count < facts.count { length += 8 }
    shortNames = facts.keys.reduce(into: [:]) { $0[$1] = String($1.prefix(length)) }
  }

  func shortName(of payload: PayloadArchive.Payload) -> String {
    shortNames[RecordedFigure.group(ofSource: payload.source)] ?? ""
  }

  /// The name of a figure and its state, which is a label where it is wanted.
  func figure(_ name: String) -> (name: String, state: String) {
    guard names.contains("state"), let found = StateFigureName(name) else { return (name, "") }
    return ("stateMetrics." + found.figure, found.state)
  }

  /// The values of a payload's labels, in the order of their names; empty if unknown.
  func values(of payload: PayloadArchive.Payload, state: String) -> [String] {
    names.map { name in
      switch name {
      case "version": payload.version
      case "state": state
      case "payload": shortName(of: payload)
      default: payload.facts[name] ?? ""
      }
    }
  }

  /// The payload of a diagnostic, by the source in its JSON.
  func payload(of diagnostic: PayloadArchive.Diagnostic) -> PayloadArchive.Payload? {
    diagnostic.json.withUnsafeBytes { RecordedFigure($0)?.source?.string }
      .flatMap { facts[RecordedFigure.group(ofSource: $0)] }
  }
}

extension PayloadArchive.Payload {
  /// Marks that keep a payload apart from those that count, whatever the labels.
  var marks: [(name: String, isSet: Bool)] { [("simulated", isSimulated), ("multiple_versions", isMixed)] }
}

extension PayloadArchive.Bin {
  /// The upper edge of the interval, which is open there.
  func upper(unit: String) -> Double { unit == "ms" ? PayloadGrid.upperEdge(start: start, end: end) : end }
}
