import Codecs
import JSONLines
import Platform

/// Builds a ``PayloadArchive`` from lines, in the order they are read.
///
/// A payload that several files hold is taken from the first one; the others add what is missing there.
struct PayloadAccumulator: Sendable {
  /// The identity of a payload: the hash of its source, and the version.
  ///
  /// Without a recorded source: times and version.
  private struct Key: Hashable {
    var source = ""
    var version = ""
    var begin = ""
    var end = ""
    var time = Timestamp(0)
  }

  private struct Member: Sendable {
    let key: Key
    var payload: PayloadArchive.Payload
    /// The file in which it was found first.
    let file: Int
    /// The file that each figure comes from, if there is more than one file.
    var owners: [Int: Int] = [:]
  }

  private struct Group: Hashable {
    let source: String
    let kind: String
  }

  /// Maximum size of all diagnostics together, in bytes.
  static let diagnosticsLimit = 64 << 20

  private var figures: [PayloadArchive.Figure] = []
  private var figureNumbers: [PayloadArchive.Figure: Int] = [:]
  private var members: [Member] = []
  private var places: [Key: Int] = [:]
  private var facts: [Key: [String: String]] = [:]
  private var diagnostics: [(group: Group, diagnostic: PayloadArchive.Diagnostic)] = []
  private var diagnosticOwners: [Group: Int] = [:]
  private var diagnosticBytes = 0
  private var unread = 0
  private var leftOut = 0
  private var last = LastMet()

  /// The previous entry: those of one payload are adjacent, so it saves a lookup.
  private struct LastMet: Sendable {
    var source: [UInt8] = []
    var version: [UInt8] = []
    var place: Int?
    /// The last figure of each metric of a scanner.
    var figures: [Int] = []
  }

  init() {}
}

extension PayloadAccumulator: BlockAccumulator {
  var empty: Self { Self() }

  /// The role that the lines of a metric have for payloads.
  enum Role: UInt8 {
    case unknown, other, histogram, scalar, document, diagnostic, original

    init(_ metric: MetricIdentity) {
      guard metric.bucket == PayloadArchive.bucket else {
        self = .other
        return
      }
      switch metric.typeName {
      case "PayloadHistogram": self = .histogram
      case "PayloadScalar": self = .scalar
      case "PayloadDocument": self = .document
      case "PayloadDiagnostic": self = .diagnostic
      case "PayloadOriginal": self = .original
      default: self = .other
      }
    }
  }

  mutating func add(_ batch: SampleBatch, _ catalogue: MetricCatalogue, at place: BatchPlace) {
    let file = place.file
    var roles = [Role](repeating: .unknown, count: catalogue.count)
    for sample in batch.samples {
      let metric = Int(sample.metric.rawValue)
      if roles[metric] == .unknown { roles[metric] = Role(catalogue[sample.metric]) }
      let role = roles[metric]
      guard role != .other, role != .original else { continue }
      let isRead =
        sample.kind == .object
        && batch.payload(of: sample).withUnsafeBytes { json in
          switch role {
          case .histogram, .scalar: addFigure(sample, role, json, catalogue, file)
          case .document: addDocument(json, at: SlotTime.clamped(sample.time), file)
          case .diagnostic: addDiagnostic(sample, json, catalogue, file)
          case .unknown, .other, .original: true
          }
        }
      if !isRead { unread &+= 1 }
    }
  }

  /// Merges the data of a later part.
  mutating func merge(_ next: Self, file: Int) {
    let numbers = next.figures.map { number(of: $0) }
    for member in next.members {
      let place = place(of: member.key, member.payload, file)
      for (figure, value) in member.payload.values { add(value, of: numbers[figure], to: place, file) }
    }
    facts.merge(next.facts) { $1 }
    for (group, diagnostic) in next.diagnostics { add(diagnostic, of: group, file) }
    unread &+= next.unread
    leftOut &+= next.leftOut
  }
}

// MARK: Figures

extension PayloadAccumulator {
  private mutating func addFigure(
    _ sample: Sample, _ role: Role, _ json: UnsafeRawBufferPointer, _ catalogue: MetricCatalogue, _ file: Int
  ) -> Bool {
    guard let recorded = RecordedFigure(json), let unit = recorded.unit?.string else { return false }
    let value: PayloadArchive.Value
    switch role {
    case .histogram where recorded.bins != nil: value = .bins(recorded.readBins())
    case .scalar:
      guard let number = recorded.number else { return false }
      value = .number(number)
    default: return false
    }
    let figure = number(of: sample.metric, unit, catalogue)
    let place = place(of: recorded, at: SlotTime.clamped(sample.time), file)
    add(value, of: figure, to: place, file)
    return true
  }

  private mutating func add(_ value: PayloadArchive.Value, of figure: Int, to place: Int, _ file: Int) {
    if file != members[place].file || !members[place].owners.isEmpty {
      if members[place].owners.isEmpty {
        let first = members[place].file
        for (figure, _) in members[place].payload.values { members[place].owners[figure] = first }
      }
      guard members[place].owners[figure, default: file] == file else { return }
      members[place].owners[figure] = file
    }
    members[place].payload.values.append((figure, value))
  }

  private mutating func number(of metric: MetricID, _ unit: String, _ catalogue: MetricCatalogue) -> Int {
    let index = Int(metric.rawValue)
    let name = catalogue[metric].name
    if index < last.figures.count, case let known = last.figures[index], known >= 0,
      figures[known].unit == unit, figures[known].name == name
    {
      return known
    }
    let number = number(of: PayloadArchive.Figure(name: name, unit: unit))
    let missing = index + 1 - last.figures.count
    if missing > 0 { last.figures += [Int](repeating: -1, count: missing) }
    last.figures[index] = number
    return number
  }

  private mutating func number(of figure: PayloadArchive.Figure) -> Int {
    if let known = figureNumbers[figure] { return known }
    figures.append(figure)
    figureNumbers[figure] = figures.count - 1
    return figures.count - 1
  }
}

// MARK: Payloads

extension PayloadAccumulator {
  /// The index of the payload that an entry belongs to.
  private mutating func place(of recorded: RecordedFigure, at time: Timestamp, _ file: Int) -> Int {
    let source = recorded.source?.written
    if let place = last.place, let source, source.count > 0, Self.equals(source, last.source),
      Self.equals(recorded.version?.written, last.version)
    {
      return place
    }
    var payload = PayloadArchive.Payload()
    payload.version = recorded.version?.string ?? ""
    payload.begin = recorded.begin?.string ?? ""
    payload.end = recorded.end?.string ?? ""
    payload.source = recorded.source?.string ?? ""
    (payload.isMixed, payload.isSimulated, payload.time) = (recorded.isMixed, recorded.isSimulated, time)
    let place = place(of: Self.key(of: payload), payload, file)
    last.source = source.map(Array.init) ?? []
    last.version = recorded.version.map { Array($0.written) } ?? []
    last.place = place
    return place
  }

  private static func equals(_ text: UnsafeRawBufferPointer?, _ bytes: [UInt8]) -> Bool {
    guard let text else { return bytes.isEmpty }
    return text.count == bytes.count && text.elementsEqual(bytes)
  }

  private static func key(of payload: PayloadArchive.Payload) -> Key {
    guard payload.source.isEmpty else {
      return Key(source: RecordedFigure.group(ofSource: payload.source), version: payload.version)
    }
    return Key(version: payload.version, begin: payload.begin, end: payload.end, time: payload.time)
  }

  /// The index of a payload; a new one without values if it is unknown.
  private mutating func place(of key: Key, _ payload: PayloadArchive.Payload, _ file: Int) -> Int {
    if let known = places[key] { return known }
    var payload = payload
    payload.values = []
    members.append(Member(key: key, payload: payload, file: file))
    places[key] = members.count - 1
    return members.count - 1
  }
}

// MARK: Documents and diagnostics

extension PayloadAccumulator {
  private mutating func addDocument(_ json: UnsafeRawBufferPointer, at time: Timestamp, _ file: Int) -> Bool {
    guard let recorded = RecordedFigure(json) else { return false }
    let found = PayloadOriginTable.facts(ofDocument: json).mapValues(\.text)
    // A day without figures is still a day; diagnostics alone do not make a day of any version.
    if found["kind"] == "metric" { _ = place(of: recorded, at: time, file) }
    var payload = PayloadArchive.Payload()
    payload.version = recorded.version?.string ?? ""
    payload.begin = recorded.begin?.string ?? ""
    payload.end = recorded.end?.string ?? ""
    (payload.source, payload.time) = (recorded.source?.string ?? "", time)
    facts[Self.documentKey(Self.key(of: payload))] = found
    return true
  }

  /// The key of a document, which covers all versions of its payload.
  private static func documentKey(_ key: Key) -> Key {
    guard !key.source.isEmpty else { return key }
    return Key(source: key.source)
  }

  private mutating func addDiagnostic(
    _ sample: Sample, _ json: UnsafeRawBufferPointer, _ catalogue: MetricCatalogue, _ file: Int
  ) -> Bool {
    guard let recorded = RecordedFigure(json) else { return false }
    let kind = catalogue[sample.metric].name
    let diagnostic = PayloadArchive.Diagnostic(
      kind: kind, time: SlotTime.clamped(sample.time), json: Array(json))
    let source = recorded.source.map { RecordedFigure.group(ofSource: $0.string) } ?? ""
    add(diagnostic, of: Group(source: source, kind: kind), file)
    return true
  }

  private mutating func add(_ diagnostic: PayloadArchive.Diagnostic, of group: Group, _ file: Int) {
    if !group.source.isEmpty {
      guard diagnosticOwners[group, default: file] == file else { return }
      diagnosticOwners[group] = file
    }
    guard diagnosticBytes + diagnostic.json.count <= Self.diagnosticsLimit else {
      leftOut &+= 1
      return
    }
    diagnosticBytes += diagnostic.json.count
    diagnostics.append((group, diagnostic))
  }
}

// MARK: The archive

extension PayloadAccumulator {
  var outcome: PayloadArchive {
    var archive = PayloadArchive()
    archive.figures = figures
    archive.payloads = members.map { member in
      var payload = member.payload
      payload.facts = facts[Self.documentKey(member.key)] ?? [:]
      return payload
    }
    Self.dropRepeated(&archive.payloads, figures: figures.count)
    archive.payloads.sort { left, right in
      (left.time, left.source, left.version) < (right.time, right.source, right.version)
    }
    archive.diagnostics = diagnostics.map(\.diagnostic)
    (archive.unread, archive.leftOut) = (unread, leftOut)
    return archive
  }

  /// Drops repeated histograms: a payload has each of them only once.
  private static func dropRepeated(_ payloads: inout [PayloadArchive.Payload], figures: Int) {
    var seen = [Int](repeating: -1, count: figures)
    for place in payloads.indices {
      var isRepeated = false
      for (figure, value) in payloads[place].values {
        guard case .bins = value else { continue }
        if seen[figure] == place { isRepeated = true }
        seen[figure] = place
      }
      guard isRepeated else { continue }
      var kept: Set<Int> = []
      payloads[place].values.removeAll { figure, value in
        if case .bins = value { !kept.insert(figure).inserted } else { false }
      }
    }
  }
}
