import Codecs
package import JSONLines
import Platform

/// The origins of recorded payloads: version, device, system, build and the like, which the payload's document states.
///
/// Figures name their payload by the hash in their source, so no figure repeats them; those of older stores have some.
package struct PayloadOriginTable: Sendable, Equatable {
  package typealias Facts = [String: StructFields.Value]

  /// The names under which queries and exports ask for an origin, besides members of the figure itself.
  package static let dimensions: Set<String> = [
    "version", "build", "device", "os", "region", "platform", "bundle", "testFlight", "lowPower", "user",
    "state",
  ]

  /// The members of figures in older stores, which queries may ask for.
  package static let formerMembers: Set<String> = [
    "appVersion", "begin", "end", "multipleVersions", "simulated",
  ]

  private var facts: [String: Facts] = [:]

  package init() {}

  package var isEmpty: Bool { facts.isEmpty }

  /// Adds the documents among some samples.
  package mutating func note(_ batch: SampleBatch, _ catalogue: MetricCatalogue) {
    var roles = PayloadRoles()
    for sample in batch.samples where sample.kind == .object {
      guard roles.role(of: sample.metric, in: catalogue) == .document else { continue }
      batch.payload(of: sample).withUnsafeBytes { json in
        guard let source = RecordedFigure(json)?.source?.string else { return }
        facts[RecordedFigure.group(ofSource: source)] = Self.facts(ofDocument: json)
      }
    }
  }

  /// The members of a document; empty texts are none, unless figures had them too.
  static func facts(ofDocument json: UnsafeRawBufferPointer) -> Facts {
    var found: Facts = [:]
    _ = JSONToken.forEachMember(of: json) { name, value in
      let name = name.string
      guard found[name] == nil else { return }
      switch value {
      case .text(let text):
        found[name] = text.written.isEmpty && !figureMembers.contains(name) ? nil : .text(text.string)
      case .bool(let claim): found[name] = .bool(claim)
      case .number, .null, .object, .array: break
      }
    }
    return found
  }

  /// Members of a document that are no facts: the payload has them itself.
  static let figureMembers: Set<String> = ["appVersion", "begin", "end", "source"]

  /// The value of a recorded figure in a dimension; `nil` if it is unknown, or for any other metric.
  package func value(
    of dimension: String, for json: ArraySlice<UInt8>, of metric: MetricIdentity
  ) -> StructFields.Value? {
    guard metric.bucket == PayloadArchive.bucket else { return nil }
    if dimension == "state" { return StateFigureName(metric.name).map { .text($0.state) } }
    return json.withUnsafeBytes { json in
      guard let figure = RecordedFigure(json) else { return nil }
      let origin = figure.source.flatMap { facts[RecordedFigure.group(ofSource: $0.string)] }
      guard dimension == "version" else { return origin?[dimension] }
      let version = figure.version.map { .text($0.string) } ?? origin?["appVersion"]
      return version == .text("") ? nil : version
    }
  }
}

extension StructFields.Value {
  /// The value as a label.
  var text: String {
    switch self {
    case .text(let text): text
    case .bool(let claim): claim ? "true" : "false"
    case .number(let number): "\(number)"
    case .null: ""
    }
  }
}
