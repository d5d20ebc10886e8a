import Aggregation
import JSONLines
import Platform

/// Accumulates the rows of a window that pass a filter, by value or by time.
struct RowAccumulator: Sendable {
  /// The query that the rows are for.
  struct Key: Equatable, Sendable {
    let focus: SeriesIdentity
    let narrowed: String?
    let window: Range<Timestamp>
    let filter: SampleFilter?
    let isByTime: Bool
  }

  struct Entry {
    /// The sort key of a row: its value or its time.
    let order: Double
    let reference: RowReference
  }

  /// Maximum number of rows that are sorted completely.
  static let limit = 1_000_000
  /// Number of smallest and of largest rows that are kept above that.
  static let endLength = 1000

  let key: Key
  /// The names of the files and of their hosts.
  private let files: [(name: String, host: String)]
  /// Required values of a sample's fields.
  private let labels: [(field: String, value: SampleCube.LabelValue)]
  private var entries: [Entry] = []
  private var isCut = false

  init(_ key: Key, files: [(name: String, host: String)]) {
    (self.key, self.files) = (key, files)
    labels = key.filter?.labels.map { ($0.key, $0.value) } ?? []
  }
}

/// All wanted rows in order, or both ends of the order if there are too many.
struct RowOrder {
  /// By ascending value or time; equal ones in the order of their lines.
  let entries: [RowAccumulator.Entry]
  let isCut: Bool
}

extension RowAccumulator: BlockAccumulator {
  var empty: Self { Self(key, files: files) }

  var outcome: RowOrder {
    var gathered = self
    if entries.count > Self.limit || isCut {
      gathered.cut()
    } else {
      gathered.entries.sort(by: Self.isBefore)
    }
    return RowOrder(entries: gathered.entries, isCut: gathered.isCut)
  }

  mutating func merge(_ next: Self, file: Int) {
    entries += next.entries
    isCut = isCut || next.isCut
    cutIfMany()
  }

  mutating func add(_ batch: SampleBatch, _ catalogue: MetricCatalogue, at place: BatchPlace) {
    let focus = key.focus
    let metric = MetricIdentity(bucket: focus.bucket, name: focus.name, typeName: focus.typeName)
    guard let wanted = catalogue.knownNumber(of: metric) else { return }
    let file = files.indices.contains(place.file) ? files[place.file] : ("", "")
    for (index, sample) in batch.samples.enumerated() where sample.metric == wanted {
      let time = sample.time.clamped
      guard key.window.contains(time), let value = value(of: sample, in: batch, file) else { continue }
      let reference = RowReference(
        time: time, offset: sample.offset, file: place.file, block: place.block, sample: place.first + index)
      entries.append(Entry(order: key.isByTime ? time.seconds : value.order, reference: reference))
    }
    cutIfMany()
  }

  private mutating func cutIfMany() {
    if entries.count > Self.limit || isCut && entries.count > 100 * Self.endLength { cut() }
  }

  /// Keeps only the ends of the order.
  private mutating func cut() {
    isCut = true
    entries.sort(by: Self.isBefore)
    guard entries.count > 2 * Self.endLength else { return }
    entries.removeSubrange(Self.endLength..<entries.count - Self.endLength)
  }

  private static func isBefore(_ a: Entry, _ b: Entry) -> Bool {
    a.order != b.order ? a.order < b.order : RowReference.isBefore(a.reference, b.reference)
  }
}

extension RowAccumulator {
  private var isOfPayloads: Bool {
    PayloadArchive.holds(bucket: key.focus.bucket, typeName: key.focus.typeName)
  }

  /// The value of the focus in a sample of its metric; `nil` if the sample is not wanted.
  private func value(of sample: Sample, in batch: SampleBatch, _ file: (name: String, host: String))
    -> SeriesValue?
  {
    // Lines of payloads without a number are a series of their own.
    let isCounted = key.focus.field == nil && sample.kind == .object && isOfPayloads
    var found: SeriesValue? = isCounted ? .null : nil
    var words = labels.map { label -> String? in
      switch label.field {
      case SampleCube.fileDimension: file.name
      case SampleCube.hostDimension: file.host
      default: nil
      }
    }
    SampleValues.forEach(of: sample, in: batch) { field, value in
      if field == key.focus.field {
        found = value
      } else if !labels.isEmpty, let word = value.label {
        for place in labels.indices where labels[place].field == field ?? "" { words[place] = word }
      }
    }
    guard let found, key.narrowed.map(found.isValue) ?? true, key.filter?.allows(found) ?? true else {
      return nil
    }
    return zip(labels, words).allSatisfy { $0.value.isLabel($1) } ? found : nil
  }
}

extension SampleFilter {
  fileprivate func allows(_ value: SeriesValue) -> Bool {
    guard let values else { return true }
    guard case .number(let number) = value else { return false }
    return values.contains(number)
  }
}

extension SampleCube.LabelValue {
  fileprivate func isLabel(_ word: String?) -> Bool {
    switch self {
    case .value(let text): word == text
    case .missing: word == nil
    }
  }
}

extension SeriesValue {
  /// The sort key by value; texts have none, so they are ordered by time.
  fileprivate var order: Double {
    switch self {
    case .number(let value): value
    case .bool(let claim): claim ? 1 : 0
    case .text, .null: -.infinity
    }
  }
}
