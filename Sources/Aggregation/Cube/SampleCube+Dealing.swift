extension SampleCube {
  /// Units besides samples that tests of two choices treat as independent: periods of time, and the sources of samples
  /// that fields name.
  ///
  /// - Parameters:
  ///   - first: the choice of the earlier side.
  ///   - second: the choice of the later side.
  package func dealing(first: Choice, second: Choice) -> Dealing {
    Dealing { setting in
      var scores = SketchScores(setting.scores)
      let cells = cells(of: first, isSecond: false, &scores) + cells(of: second, isSecond: true, &scores)
      let bySlot = cells.map { cell in
        SideCell(key: cell.slot, isSecond: cell.isSecond, count: cell.count, sum: cell.sum)
      }
      var outcomes: [TestOutcome] = []
      if let blocks = TimeBlocks(bySlot) {
        outcomes.append(
          SignFlipTest(
            blocks.units, dependence: blocks.dependence, precision: setting.precision, random: setting.random
          ).outcome)
      }
      for (place, field) in clusterPlaces(first: first, second: second) where field.role == .units {
        let byValue = cells.map { cell in
          SideCell(key: cell.codes[place], isSecond: cell.isSecond, count: cell.count, sum: cell.sum)
        }
        outcomes.append(
          SignFlipTest(
            SideCell.units(of: byValue), precision: setting.precision, random: setting.random
          ).outcome)
      }
      return outcomes
    }
  }

  /// The fields that name the sources of the samples of two choices.
  package func clusterFields(first: Choice, second: Choice) -> [ClusterField] {
    clusterPlaces(first: first, second: second).map(\.field)
  }

  private func clusterPlaces(first: Choice, second: Choice) -> [(place: Int, field: ClusterField)] {
    let places = dimensionTable.names.enumerated().compactMap { place, name in
      name.flatMap { ClusterField.plural(of: $0) == nil ? nil : (place: place, name: $0) }
    }
    guard !places.isEmpty else { return [] }
    let ofClasses = [counts(first), counts(second)]
    return places.map { place, name in
      var counts: [UInt8: (first: Double, second: Double)] = [:]
      for (side, ofSide) in ofClasses.enumerated() {
        for (codes, count) in ofSide where count > 0 {
          if side == 0 {
            counts[codes[place], default: (0, 0)].first += count
          } else {
            counts[codes[place], default: (0, 0)].second += count
          }
        }
      }
      let inOrder = counts.sorted { $0.key < $1.key }.map(\.value)
      let isFolded = dimensionTable.isFolded[place]
      return (place, ClusterField(name: name, counts: inOrder, isFolded: isFolded))
    }
  }

  private func counts(_ choice: Choice) -> [(codes: CubeDimensions.Codes, count: Double)] {
    var counts: [(CubeDimensions.Codes, Double)] = []
    forEachClass(of: choice) { codes, members in
      guard let window = choice.window else { return counts.append((codes, Double(members.moments.count))) }
      let inWindow = members.slots.reduce(0.0) {
        lies($1.key, in: window) ? $0 + Double($1.value.moments.count) : $0
      }
      counts.append((codes, inWindow))
    }
    return counts
  }

  private struct Cell {
    let codes: CubeDimensions.Codes
    let slot: Int64
    let isSecond: Bool
    let count: Double
    let sum: RankScores.Scores
  }

  /// The scores of a choice's samples by labels and time slot.
  private func cells(of choice: Choice, isSecond: Bool, _ scores: inout SketchScores) -> [Cell] {
    var cells: [Cell] = []
    forEachClass(of: choice) { codes, members in
      members.forEachSlot(where: { slot in choice.window.map { lies(slot, in: $0) } ?? true }) {
        slot, content in
        let (sum, count) = scores.sum(of: content.sketch)
        cells.append(Cell(codes: codes, slot: slot, isSecond: isSecond, count: count, sum: sum))
      }
    }
    return cells
  }
}
