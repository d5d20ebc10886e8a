import Codecs
import QueryLanguage

/// A metric, or a sample of it, of given figures, states and fields.
struct TestSubject: QuerySubject, QuerySample, Sendable {
  var name: String
  var figures: [QueryFigure: Double] = [:]
  var states: Set<QueryState> = []
  /// The fields of each of its samples; as a sample it is the first.
  var samples: [[String: QueryValue]] = []
  /// The metrics that calculations may name, without their bucket.
  var others: [TestSubject] = []

  var unit: ValueUnit { ValueUnit(name: name) }

  func figure(_ figure: QueryFigure) -> Double? { figures[figure] }

  func figure(of reference: FigureReference) -> ReferencedFigure? {
    for (metric, figure) in reference.candidates {
      guard let other = others.first(where: { $0.name == metric }) else { continue }
      return ReferencedFigure(
        name: other.name, figure: figure, unit: other.unit, value: other.figures[figure])
    }
    return nil
  }

  func isInState(_ state: QueryState) -> Bool { states.contains(state) }

  func hasSamples(where comparison: FieldComparison) -> Bool {
    samples.contains { comparison.matches($0[comparison.field]) }
  }

  func field(_ name: String) -> QueryValue? { samples.first?[name] }
}
