import Codecs
import JSONLines
import QueryLanguage
import TerminalUI

/// The candidates there were to choose from, for a sentence where nothing was chosen.
struct EmptySelection: Sendable {
  /// No more names of fields are kept for a suggestion.
  private static let fieldLimit = 1000

  /// The noun for what is chosen: metrics or samples.
  private let noun: String
  /// True if the fields of all structs are noted.
  private let seesFields: Bool
  /// The whole names of all metrics that were met, chosen or not.
  private(set) var names: Set<String> = []
  /// The names of metrics without their buckets.
  private var shortNames: Set<String> = []
  private var buckets: Set<String> = []
  /// The fields of all structs that were met.
  private(set) var fields: Set<String> = []

  init(of noun: String, seesFields: Bool) {
    self.noun = noun
    self.seesFields = seesFields
  }

  /// True if there is a metric of a name, with its bucket or without.
  func knows(_ name: String) -> Bool { names.contains(name) || shortNames.contains(name) }

  func knows(bucket: String) -> Bool { buckets.contains(bucket) }

  /// Notes the metrics of a catalogue from a number on, which becomes that of the next.
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

  /// One sentence that says what there is none of, and what was probably meant.
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
      + "; a unit fits names that end in one, such as _ms, _bytes or _percent, and what units of the configuration names"
  }

  private func suggestion(for word: String) -> String? {
    Suggestion.closest(
      to: word, among: names.sorted() + shortNames.sorted() + QueryState.allCases.map(\.rawValue))
  }

  /// The sentence with what there is: a suggestion, or a number and an example.
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
  /// True if it names a bucket or a metric that is not there, or a query that chose nothing; a time without samples is
  /// no mistake.
  func isUnmet(by met: EmptySelection) -> Bool {
    query != nil || bucket.map { !met.knows(bucket: $0) } ?? false || metric.map { !met.knows($0) } ?? false
  }
}
