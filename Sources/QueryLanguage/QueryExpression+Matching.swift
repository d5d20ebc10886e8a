extension QueryExpression {
  /// True if a metric is chosen.
  ///
  /// - Parameter negated: True to negate the expression. It is passed down to the comparisons of fields: `not route =
  ///   /feed` asks for a sample of another route, not for a metric without samples of this one.
  func matches(_ subject: some QuerySubject, negated: Bool = false) -> Bool {
    switch self {
    case .name(let pattern): return pattern.matches(subject.name) != negated
    case .figure(let comparison): return comparison.matches(subject) != negated
    case .calculation(let comparison): return comparison.matches(subject) != negated
    case .state(let state): return subject.isInState(state) != negated
    case .field(let comparison):
      return subject.hasSamples(where: negated ? comparison.negated : comparison)
    case .not(let inner): return inner.matches(subject, negated: !negated)
    case .all(let parts):
      for part in parts where part.matches(subject, negated: negated) == negated { return negated }
      return !negated
    case .any(let parts):
      for part in parts where part.matches(subject, negated: negated) != negated { return !negated }
      return negated
    }
  }

  /// True if a sample is chosen, as far as names and fields determine.
  func matches(sample: some QuerySample) -> Bool {
    switch self {
    case .name(let pattern): pattern.matches(sample.name)
    // These choose metrics; a tree with one of them and a field is always an `and` chain at its top.
    case .figure, .calculation, .state: true
    case .field(let comparison): comparison.matches(sample.field(comparison.field))
    case .not(let inner): !inner.matches(sample: sample)
    case .all(let parts): parts.allSatisfy { $0.matches(sample: sample) }
    case .any(let parts): parts.contains { $0.matches(sample: sample) }
    }
  }

  /// True if a name is chosen by an expression that consists only of names.
  func matches(name: String) -> Bool {
    switch self {
    case .name(let pattern): pattern.matches(name)
    case .figure, .calculation, .state, .field: true
    case .not(let inner): !inner.matches(name: name)
    case .all(let parts): parts.allSatisfy { $0.matches(name: name) }
    case .any(let parts): parts.contains { $0.matches(name: name) }
    }
  }
}
