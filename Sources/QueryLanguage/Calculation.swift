package import Codecs

/// Arithmetic with figures and numbers: `2 * p50`, `(max - min) / mean`, `errors.count / requests.count`.
indirect enum Calculation: Sendable, Hashable {
  case number(Quantity)
  case figure(QueryFigure)
  case other(FigureReference)
  case negative(Calculation)
  case operation(ArithmeticOperator, Calculation, Calculation)

  /// Every number and figure, from left to right.
  func forEachLeaf(_ body: (Calculation) -> Void) {
    switch self {
    case .number, .figure, .other: body(self)
    case .negative(let inner): inner.forEachLeaf(body)
    case .operation(_, let left, let right):
      left.forEachLeaf(body)
      right.forEachLeaf(body)
    }
  }

  /// True if it uses a figure of the metric itself.
  var usesOwnFigures: Bool { contains(\.isFigure) }

  /// True if it consists only of numbers.
  var isConstant: Bool { !contains { if case .number = $0 { false } else { true } } }

  var isFigure: Bool { if case .figure = self { true } else { false } }

  var isNegative: Bool { if case .negative = self { true } else { false } }

  var isReference: Bool { if case .other = self { true } else { false } }

  /// The last number or figure.
  var last: Calculation {
    switch self {
    case .number, .figure, .other: self
    case .negative(let inner): inner.last
    case .operation(_, _, let right): right.last
    }
  }

  /// The figures of other metrics, from left to right.
  var references: [FigureReference] {
    var found: [FigureReference] = []
    forEachLeaf { if case .other(let reference) = $0 { found.append(reference) } }
    return found
  }

  private func contains(_ isWanted: (Calculation) -> Bool) -> Bool {
    var found = false
    forEachLeaf { found = found || isWanted($0) }
    return found
  }
}

/// The arithmetic operators.
enum ArithmeticOperator: String, Sendable {
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divided = "/"

  var isProduct: Bool { self == .times || self == .divided }
}

/// A figure of a named metric: `errors.count`, `db.query_ms.p95`.
package struct FigureReference: Sendable, Hashable {
  /// The reference as typed.
  package let text: String
  /// The metric and its figure, if the last part of the text is a figure.
  private let split: (metric: String, figure: QueryFigure)?

  /// - Returns: `nil` for a text without a dot inside.
  init?(_ text: String) {
    guard let point = text.lastIndex(of: "."), point > text.startIndex, text.last != "." else { return nil }
    self.text = text
    let last = text[text.index(after: point)...].lowercased()
    split = (last == "count" ? .n : QueryFigure(rawValue: last)).map { (String(text[..<point]), $0) }
  }

  /// True if its last part is a figure.
  var namesFigure: Bool { split != nil }

  /// The metrics that it may refer to, the likeliest first: a metric may itself be called `errors.count`.
  package var candidates: [(metric: String, figure: QueryFigure)] {
    [(text, .now)] + (split.map { [$0] } ?? [])
  }

  package static func == (left: FigureReference, right: FigureReference) -> Bool { left.text == right.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A figure of a metric that was looked up by name.
package struct ReferencedFigure {
  /// The full name of the metric.
  package let name: String
  let figure: QueryFigure
  let unit: ValueUnit
  let value: Double?

  /// - Parameters:
  ///   - unit: The unit of the metric's values.
  ///   - value: `nil` if the metric has no such figure.
  package init(name: String, figure: QueryFigure, unit: ValueUnit, value: Double?) {
    (self.name, self.figure, self.unit, self.value) = (name, figure, unit, value)
  }
}

// MARK: Text

extension Calculation {
  /// The calculation as a person would type it.
  var text: String {
    switch self {
    case .number(let quantity): quantity.text
    case .figure(let figure): figure.rawValue
    case .other(let reference): reference.text
    case .negative(.figure(let figure)): "-" + figure.rawValue
    case .negative(let inner): "-(\(inner.text))"
    case .operation(let sign, let left, let right):
      "\(left.text(within: sign, isRight: false)) \(sign.rawValue) \(right.text(within: sign, isRight: true))"
    }
  }

  /// The same, in parentheses if the neighboring operator would otherwise bind to a part of it.
  private func text(within sign: ArithmeticOperator, isRight: Bool) -> String {
    guard case .operation(let own, _, _) = self,
      isRight ? sign.isProduct || !own.isProduct : sign.isProduct && !own.isProduct
    else { return text }
    return "(\(text))"
  }
}
