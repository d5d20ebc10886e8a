import Codecs

extension QueryParser {
  /// A comparison with a calculation on at least one side; `nil` for anything else, with nothing consumed.
  mutating func calculation() throws(QueryError) -> Part? {
    let start = scanner.place
    guard let found = try comparisonOfCalculations() else {
      scanner.place = start
      return nil
    }
    let range = start..<scanner.place
    guard let figure = found.firstFigure else { throw error(.onlyNumbers, range) }
    try require(.figures, for: figure, range)
    do throws(UnitMismatch) { try found.check() } catch {
      let (left, right) = (error.units.0.noun, error.units.1.noun)
      throw self.error(.differentUnits(error.left.text, left, error.right.text, right), range)
    }
    let endsInGroup = scanner.next(-1) == ")"
    scanner.skipBlanks()
    if !endsInGroup, case .number(let quantity) = found.right.last {
      try refuseSeparatedUnit(
        of: quantity.text, quantity, from: range.upperBound - quantity.text.unicodeScalars.count)
    }
    return Part(expression: .calculation(found), firstFigure: range)
  }

  private mutating func comparisonOfCalculations() throws(QueryError) -> CalculationComparison? {
    var reader = CalculationReader(scanner)
    // An operator without a figure means the newest value.
    let isImplicit = scanner.isBeforeOperator
    guard let left = isImplicit ? .figure(.now) : reader.sum() else { return nil }
    let isPlain = reader.signs == 0 && (reader.groups == 0 && !left.isNegative || reader.figures == 0)
    scanner = reader.scanner
    scanner.skipBlanks()
    guard scanner.isBeforeOperator else {
      guard reader.signs > 0, reader.figures > 0 else { return nil }
      throw reader.problem ?? error(.missingComparison, scanner.place..<scanner.place)
    }
    guard !isPlain || reader.groups == 0, let comparison = try comparison(isRefused: !isPlain) else {
      return nil
    }
    let isFigure = isImplicit || left.isFigure && reader.problem == nil
    let isKnown = isFigure || left.isConstant && reader.problem == nil
    let (figures, groups) = (reader.figures, reader.groups)
    (reader.scanner, reader.isRight) = (scanner, true)
    let right = reader.sum()
    if isPlain {
      // An error in a plain comparison is reported where that is parsed; without an order, fields take any value.
      guard isKnown || comparison.isOrder,
        reader.signs > 0 || reader.groups > groups || reader.figures > figures
          || isFigure && right?.isReference == true
      else { return nil }
    }
    guard let right else {
      let place = scanner.place
      throw reader.problem ?? error(.missingNumber(after: comparison.rawValue), place..<place)
    }
    if let problem = reader.problem { throw problem }
    scanner = reader.scanner
    return CalculationComparison(left, comparison, right)
  }

  /// The operator of a comparison; `nil` for an unknown one that need not be an error here.
  private mutating func comparison(isRefused: Bool) throws(QueryError) -> QueryOperator? {
    if isRefused { return try comparison() }
    return try? comparison()
  }
}
