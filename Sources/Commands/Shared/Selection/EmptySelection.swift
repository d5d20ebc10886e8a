import Codecs
import JSONLines
import QueryLanguage
import TerminalUI

/// The candidates of a selection, for the message if it matched nothing.
struct EmptySelection: Sendable {
  /// Maximum field names kept for suggestions.
  private static let fieldLimit = 1000

  /// The noun for the candidates: metrics or samples.
  private let noun: String
  /// True if the fields of all structs are recorded.
  private let seesFields: Bool
  /// The full names of all candidates, selected or not.
  private(set) var names: Set<String> = []
  /// The names of metrics without their buckets.
  private var shortNames: Set<String> = []
  private var buckets: Set<String> = []
  /// The fields of all structs that were read.
  private(set) var fields: Set<String> = []

  init(of noun: String, seesFields: Bool) {
    self.noun = noun
    self.seesFields = seesFields
  }

  /// True if a metric has this name, with or without its bucket.
  func knows(_ name: String) -> Bool { names.contains(name) || shortNames.contains(name) }

  func knows(bucket: String) -> Bool { buckets.contains(bucket) }

  /// Adds the metrics of a catalogue from index `next` on, and advances `next` to its end.
  mutating func note(_ catalogue: MetricCatalogue, from next: inout Int) {
    for number in next..<max(next, catalogue.count) {
      note(catalogue[MetricID(rawValue: Int32(truncatingIfNeeded: number))])
    }
    next = max(next, catalogue.count)
  }

  mutating func note(_ identity: MetricIdentity) {
    names.insert(identity.fullName)
    shortNames.insert(identity.name)
    if let bucket = identity.bucket { buckets.insert(bucket) }
  }

  mutating func note(field: String) {
    if fields.count < Self.fieldLimit { fields.insert(field) }
  }

  mutating func merge(_ other: EmptySelection) {
    names.formUnion(other.names)
    shortNames.formUnion(other.shortNames)
    buckets.formUnion(other.buckets)
    for field in other.fields { note(field: field) }
  }

  /// One sentence that names what was not found, with a suggestion.
  func sentence(_ selection: SampleSelection) -> String {
    let period = selection.limitsTime ? " in that time" : ""
    if let bucket = selection.bucket, !knows(bucket: bucket) {
      return text(
        "no bucket is named \(bucket)\(period)", Suggestion.closest(to: bucket, among: buckets.sorted()))
    }
    if let metric = selection.metric, !knows(metric) {
      return text("no metric is named \(metric)\(period)", suggestion(for: metric))
    }
    if seesFields, let field = selection.query?.fields.first(where: { !fields.contains($0) }) {
      let near = Suggestion.closest(
        to: field, among: fields.sorted() + QueryFigure.allCases.map(\.rawValue))
      return text(
        "no sample has a field named \(field)\(period)",
        near ?? Suggestion.list(Suggestion.nearest(to: field, among: names)))
    }
    let query = selection.query ?? .all
    if let reference = query.references.first(where: { !$0.isKnown(among: names) }) {
      return text("no metric is named \(reference.metric)\(period)", reference.suggestion(among: names))
    }
    let unknown = query.words.lazy.compactMap { word in
      names.contains { $0.lowercased().contains(word.lowercased()) } ? nil : suggestion(for: word)
    }
    let sentence = text("no \(noun) matches \(query.text)\(period)", unknown.first)
    guard unknown.isEmpty, query.asksForUnits else { return sentence }
    return sentence
      + "; a unit matches metrics named _ms, _bytes or _percent, or listed under units in the configuration"
  }

  private func suggestion(for word: String) -> String? {
    Suggestion.closest(
      to: word, among: names.sorted() + shortNames.sorted() + QueryState.allCases.map(\.rawValue))
  }

  /// The sentence with a suggestion, or else the number of metrics and an example.
  private func text(_ sentence: String, _ suggestion: String?) -> String {
    let end =
      if let suggestion {
        "did you mean \(suggestion)?"
      } else if let example = names.min() {
        "\(Plural.count(names.count, "metric")), e.g. \(example)"
      } else {
        "there are no samples"
      }
    return SafeText.sanitized("\(sentence); \(end)")
  }
}

extension SampleSelection {
  /// True if it names an unknown bucket or metric, or if its query matched nothing; a time range without samples is not
  /// a mistake.
  func isUnmet(by met: EmptySelection) -> Bool {
    query != nil || bucket.map { !met.knows(bucket: $0) } ?? false || metric.map { !met.knows($0) } ?? false
  }
}
