/// The scores of sketch bins: the same few bins occur in every time slot, so each is looked up once.
struct SketchScores {
  private let scores: RankScores
  /// Tables by coarseness of the sketch.
  private var tables: [UInt8: Table] = [:]

  private struct Table {
    var first: Int32
    /// NaN where not known yet.
    var scores: [RankScores.Scores]

    /// Makes room for all keys from `low` to `high`.
    mutating func reach(_ low: Int32, _ high: Int32) {
      let unknown = RankScores.Scores(repeating: .nan)
      if low < first {
        scores.insert(contentsOf: repeatElement(unknown, count: Int(first) - Int(low)), at: 0)
        first = low
      }
      let missing = Int(high) - Int(first) + 1 - scores.count
      if missing > 0 { scores.append(contentsOf: repeatElement(unknown, count: missing)) }
    }
  }

  /// Key range from which bins are looked up each time.
  private static let room = 1 << 14

  init(_ scores: RankScores) {
    self.scores = scores
  }

  /// The total score of the samples of a sketch, and their number.
  mutating func sum(of sketch: SketchHistogram) -> (sum: RankScores.Scores, count: Double) {
    guard let low = sketch.bins.first?.key, let high = sketch.bins.last?.key else { return (.zero, 0) }
    var (sum, count) = (RankScores.Scores.zero, 0.0)
    var table = tables[sketch.shift] ?? Table(first: low, scores: [])
    let (least, most) = (min(low, table.first), max(Int(high), Int(table.first) + table.scores.count))
    guard most - Int(least) < Self.room else {
      for bin in sketch.bins {
        sum += scores.scores(of: sketch.interval(of: bin)) * Double(bin.count)
        count += Double(bin.count)
      }
      return (sum, count)
    }
    // Taken out, so that it is not copied.
    tables[sketch.shift] = nil
    table.reach(low, high)
    for bin in sketch.bins {
      let place = Int(bin.key) - Int(table.first)
      if table.scores[place][0].isNaN { table.scores[place] = scores.scores(of: sketch.interval(of: bin)) }
      sum += table.scores[place] * Double(bin.count)
      count += Double(bin.count)
    }
    tables[sketch.shift] = table
    return (sum, count)
  }
}
