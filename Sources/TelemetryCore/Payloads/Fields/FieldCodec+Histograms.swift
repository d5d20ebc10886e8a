import Codecs
import Essentials

extension FieldCodec<TimeHistogram> {
  /// Bins of durations, in milliseconds.
  static let histogram = FieldCodec { json, context in
    let bins = context.bins(json) { json, context in
      guard let (value, unit) = context.quantity(json, in: .milliseconds) else { return nil }
      return Quantity(value: value, unit: unit.duration).value(in: .milliseconds)
    }
    return bins.map { TimeHistogram($0) }
  } write: { histogram in
    .bins(histogram.bins, PayloadUnit.milliseconds.word)
  } digest: { histogram in
    .bins(histogram.bins)
  }.figures({ [("", PayloadUnit.milliseconds.word)] }) { histogram, name, list in
    list.add(name, histogram)
  }
}

extension FieldCodec<CellularHistogram> {
  /// Bins of signal bars.
  static let cellular = FieldCodec { json, context in
    let bins = context.bins(json) { $1.number($0, with: CellularHistogram.symbol) }
    return bins.map { bins in
      CellularHistogram(bins.map { CellularHistogram.Bin(bars: $0.start, upTo: $0.end, percent: $0.count) })
    }
  } write: { histogram in
    .bins(histogram.writtenBins, CellularHistogram.symbol)
  } digest: { histogram in
    .bins(histogram.writtenBins)
  }.figures({ [("", CellularHistogram.symbol)] }) { histogram, name, list in
    list.add(name, histogram)
  }
}

extension CellularHistogram {
  /// The bins as in the JSON, where those of all histograms have the same form.
  fileprivate var writtenBins: [TimeHistogram.Bin] {
    bins.map { TimeHistogram.Bin(start: $0.bars, end: $0.upTo, count: $0.percent) }
  }
}

extension TimeHistogram.Bin {
  /// The bins as written, with whole bounds; those whose bounds cannot be written are left out.
  ///
  /// Sorted as they will be read again: different bounds can become equal once rounded.
  static func whole(_ bins: [Self]) -> [Self] {
    bins.lazy.filter { $0.start.isFinite && $0.end.isFinite }
      .map { Self(start: $0.start.nearestWhole, end: $0.end.nearestWhole, count: $0.count) }
      .sorted { ($0.start, $0.end, $0.count) < ($1.start, $1.end, $1.count) }
  }
}

extension ReadingContext {
  /// The bins of a histogram, ordered by their numbers; those without bounds or a count are left out.
  fileprivate mutating func bins(
    _ json: JSONValue, bound: (JSONValue, inout ReadingContext) -> Double?
  ) -> [TimeHistogram.Bin]? {
    guard let fields = json.fields else { return refuse(json, "a histogram") }
    for key in fields.keys.sorted() where key != "histogramNumBuckets" && key != "histogramValue" {
      note("an unknown key, not kept", at: key)
    }
    guard let value = fields["histogramValue"] else { return refuse(json, "a histogram with bins") }
    let written = at("histogramValue") { numbered(value, &$0) }
    guard let written else { return nil }
    if let claimed = fields["histogramNumBuckets"], claimed != .integer(Int64(written.count)) {
      note("differs from the number of bins: \(written.count)", at: "histogramNumBuckets")
    }
    return at("histogramValue") { context in
      written.compactMap { key, value in
        context.at(key) { $0.bin(value, bound: bound) }
      }
    }
  }

  private mutating func bin(
    _ json: JSONValue, bound: (JSONValue, inout ReadingContext) -> Double?
  ) -> TimeHistogram.Bin? {
    guard let fields = json.fields else { return refuse(json, "a bin") }
    guard let first = fields["bucketStart"], let last = fields["bucketEnd"],
      let number = fields["bucketCount"]
    else {
      note(fields.isEmpty ? "an empty bin, left out" : "a bin without bounds or without a count, left out")
      return nil
    }
    guard let start = at("bucketStart", { bound(first, &$0) }),
      let end = at("bucketEnd", { bound(last, &$0) }),
      let count = at("bucketCount", { FieldCodec.integer.read(number, &$0) })
    else { return nil }
    guard start <= end, count >= 0 else {
      note(count < 0 ? "a count below zero, left out" : "a bin that ends before it starts, left out")
      return nil
    }
    return TimeHistogram.Bin(start: start, end: end, count: count)
  }
}

/// The bins with their keys, in order, from an object or an array.
private func numbered(_ json: JSONValue, _ context: inout ReadingContext) -> [(String, JSONValue)]? {
  switch json {
  case .object(let fields):
    return fields.sorted { first, second in
      (Int(first.key) ?? .max, first.key) < (Int(second.key) ?? .max, second.key)
    }.map { ($0.key, $0.value) }
  case .array(let elements):
    context.note("an array where an object was expected")
    return elements.enumerated().map { (String($0.offset), $0.element) }
  case .null, .bool, .integer, .unsigned, .wide, .number, .string: return context.refuse(json, "bins")
  }
}

extension JSONValue {
  /// A histogram; bins whose bounds cannot be written are left out.
  fileprivate static func bins(_ bins: [TimeHistogram.Bin], _ word: String) -> JSONValue {
    let written: [JSONValue] = TimeHistogram.Bin.whole(bins).compactMap { bin in
      guard let start = quantity(bin.start, word), let end = quantity(bin.end, word) else { return nil }
      return .object(["bucketCount": .integer(Int64(bin.count)), "bucketStart": start, "bucketEnd": end])
    }
    let keys = written.indices.map(String.init)
    return .object([
      "histogramNumBuckets": .integer(Int64(written.count)),
      "histogramValue": .object(Dictionary(uniqueKeysWithValues: zip(keys, written))),
    ])
  }
}

extension ContentDigest {
  /// The bins of a histogram as they are written.
  fileprivate static func bins(_ bins: [TimeHistogram.Bin]) -> ContentDigest {
    ContentDigest(
      elements: TimeHistogram.Bin.whole(bins).lazy.flatMap { bin in
        [ContentDigest(bin.start), ContentDigest(bin.end), ContentDigest(Int64(bin.count))]
      })
  }
}
