// Combines the cubes of parts of the samples into the cube of all of them.
extension SampleCube {
  /// Merges another cube, as if its samples had been recorded after this one's.
  ///
  /// Fields dropped in either cube are dropped in the result. The set of dropped fields may depend on where the parts
  /// end; the counts of the other fields do not.
  ///
  /// - Parameter other: a cube that began with the same step.
  package mutating func merge(_ other: SampleCube) {
    var other = other
    for name in other.dimensionTable.refused.sorted() { refuse(name) }
    while other.step < step { other.doubleStep() }
    while step < other.step { doubleStep() }
    let numbers = numbers(for: other.dimensionTable)
    for (codes, members) in other.sortedClasses {
      var members = members
      members.joinSlots { slot(of: other.middle(ofSlot: $0)) }
      var own = CubeDimensions.Codes()
      for (numbers, code) in zip(numbers, codes.indices.map { codes[$0] }) {
        if let place = numbers.place { own[place] = numbers.codes[Int(code)] }
      }
      take(members, codes: own)
    }
    noteTimes(other.times)
    notePassedOver(other.passedOver)
    shrinkToLimits()
  }

  /// The place here of another cube's dimension, and the number of each of its values.
  private struct Numbers {
    var place: Int?
    var codes: [UInt8] = [0]
  }

  private mutating func numbers(for table: CubeDimensions) -> [Numbers] {
    zip(table.names, table.values).enumerated().map { number, dimension in
      let (name, values) = dimension
      var numbers = Numbers()
      guard let name else { return numbers }
      if table.isFolded[number] {
        (numbers.place, numbers.codes) = (fold(name), (0...UInt8(CubeDimensions.folds)).map { $0 })
        return numbers
      }
      for value in values {
        switch code(of: Label(name, value)) {
        case .coded(let place, let code):
          numbers.place = place
          numbers.codes.append(code)
        case .folded(let place, let codes, let code):
          // Earlier values have new numbers too.
          numbers.place = place
          numbers.codes = numbers.codes.map { codes[Int($0)] } + [code]
        case .none, .givenUp: break
        }
      }
      if numbers.codes.count <= values.count { numbers.place = nil }
      return numbers
    }
  }
}
