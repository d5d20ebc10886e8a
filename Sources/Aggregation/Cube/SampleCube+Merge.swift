// Cubes of parts of the samples become the cube of all of them.
extension SampleCube {
  /// Takes in all samples of another one, as if they had been recorded after its own.
  ///
  /// What is given up in either is given up in both together. Which fields that are may depend on where the parts end;
  /// what is counted of the others does not.
  ///
  /// - Parameter other: One that began with the same step.
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

  /// Where a dimension of another cube stands here, and the number of each of its values.
  private struct Numbers {
    var place: Int?
    var codes: [UInt8] = [0]
  }

  private mutating func numbers(for table: CubeDimensions) -> [Numbers] {
    zip(table.names, table.values).map { name, values in
      var numbers = Numbers()
      guard let name else { return numbers }
      for value in values {
        guard case .coded(let place, let code) = code(of: Label(name, value)) else { break }
        numbers.place = place
        numbers.codes.append(code)
      }
      if numbers.codes.count <= values.count { numbers.place = nil }
      return numbers
    }
  }
}
