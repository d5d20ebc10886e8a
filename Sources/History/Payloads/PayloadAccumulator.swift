import Codecs
import JSONLines
import Platform

/// Builds a ``PayloadArchive`` from lines, in the order they are read.
///
/// A payload that several files hold is taken from the first one; the others add what is missing there.
struct PayloadAccumulator: Sendable {
  /// The identity of a payload: its source, and the version if its lines have another than the document, or state it.
  ///
  /// Without a recorded source: times and version.
  private struct Key: Hashable {
    var source = ""
    var version: String?
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

    mutating func add(_ value: PayloadArchive.Value, of figure: Int, _ file: Int) {
      if file != self.file || !owners.isEmpty {
        if owners.isEmpty { for (figure, _) in payload.values { owners[figure] = self.file } }
        guard owners[figure, default: file] == file else { return }
        owners[figure] = file
      }
      payload.values.append((figure, value))
    }
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
  /// The statements of documents, which may come after the figures.
  private var documents: [Key: PayloadArchive.Payload] = [:]
  private var diagnostics: [(group: Group, diagnostic: PayloadArchive.Diagnostic)] = []
  private var diagnosticOwners: [Group: Int] = [:]
  private var diagnosticBytes = 0
  private var unread = 0
  private var leftOut = 0
  private var last = LastMet()

  /// The previous entry: those of one payload are adjacent, so it saves a lookup.
  private struct LastMet: Sendable {
    var source: [UInt8] = []
    var version: [UInt8]?
    var place: Int?
    /// The last figure of each metric of a scanner.
    var figures: [Int] = []
  }

  init() {}
}

extension PayloadAccumulator {
  /// Adds the samples of a file that follow those added so far.
  mutating func add(_ batch: SampleBatch, _ catalogue: MetricCatalogue, file: Int) {
    var roles = PayloadRoles()
    for sample in batch.samples {
      let role = roles.role(of: sample.metric, in: catalogue)
      guard role != .other, role != .original else { continue }
      let isRead =
        sample.kind == .object
        && batch.payload(of: sample).withUnsafeBytes { json in
          switch role {
          case .histogram, .scalar: addFigure(sample, role, json, catalogue, file)
          case .document: addDocument(json, at: sample.time.clamped, file)
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
      for (figure, value) in member.payload.values { members[place].add(value, of: numbers[figure], file) }
    }
    documents.merge(next.documents) { first, _ in first }
    for (group, diagnostic) in next.diagnostics { add(diagnostic, of: group, file) }
    unread &+= next.unread
    leftOut &+= next.leftOut
  }
}

// MARK: Figures

extension PayloadAccumulator {
  private mutating func addFigure(
    _ sample: Sample, _ role: PayloadRole, _ json: UnsafeRawBufferPointer, _ catalogue: MetricCatalogue,
    _ file: Int
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
    let place = place(of: recorded, at: sample.time.clamped, file)
    members[place].add(value, of: figure, file)
    return true
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
    let payload = PayloadArchive.Payload(recorded, at: time)
    let place = place(of: Self.key(of: payload, version: recorded.version?.string), payload, file)
    last.source = source.map(Array.init) ?? []
    last.version = recorded.version.map { Array($0.written) }
    last.place = place
    return place
  }

  private static func equals(_ text: UnsafeRawBufferPointer?, _ bytes: [UInt8]?) -> Bool {
    guard let text, let bytes else { return text == nil && bytes == nil }
    return text.count == bytes.count && text.elementsEqual(bytes)
  }

  private static func key(of payload: PayloadArchive.Payload, version: String?) -> Key {
    guard payload.source.isEmpty else {
      return Key(source: RecordedFigure.group(ofSource: payload.source), version: version)
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
    var payload = PayloadArchive.Payload(recorded, at: time)
    let key = Self.documentKey(Self.key(of: payload, version: nil))
    payload.facts = PayloadOriginTable.facts(ofDocument: json).mapValues(\.text)
    for name in PayloadOriginTable.figureMembers { payload.facts[name] = nil }
    // A day without figures is still a day; diagnostics alone do not make a day of any version.
    if payload.isDay { _ = place(of: key, payload, file) }
    if documents[key] == nil { documents[key] = payload }
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
      kind: kind, time: sample.time.clamped, json: Array(json))
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
    archive.payloads = days
    Self.dropRepeated(&archive.payloads, figures: figures.count)
    archive.payloads.sort { left, right in
      (left.time, left.source, left.version) < (right.time, right.source, right.version)
    }
    archive.diagnostics = diagnostics.map(\.diagnostic)
    (archive.unread, archive.leftOut) = (unread, leftOut)
    return archive
  }

  /// The payloads with what their documents state.
  ///
  /// Figures of a payload that state their version and others that do not are of one, as from two versions of the program.
  private var days: [PayloadArchive.Payload] {
    var (days, known): ([Member], [Key: Int]) = ([], [:])
    days.reserveCapacity(members.count)
    for member in members {
      var (member, key) = (member, member.key)
      member.payload.facts = [:]
      if let document = documents[Self.documentKey(key)] {
        member.payload.complete(from: document, hasVersion: key.version != nil)
      }
      key.version = member.payload.version
      if let place = known[key] {
        for (figure, value) in member.payload.values {
          days[place].add(value, of: figure, member.owners[figure] ?? member.file)
        }
      } else {
        known[key] = days.count
        days.append(member)
      }
    }
    return days.map(\.payload)
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

extension PayloadArchive.Payload {
  fileprivate init(_ recorded: RecordedFigure, at time: Timestamp) {
    self.init()
    version = recorded.version?.string ?? ""
    begin = recorded.begin?.string ?? ""
    end = recorded.end?.string ?? ""
    source = recorded.source?.string ?? ""
    (isMixed, isSimulated, self.time) = (recorded.isMixed, recorded.isSimulated, time)
  }

  /// True for the document of a payload with figures of a day.
  fileprivate var isDay: Bool { facts["kind"] == "metric" }

  /// Takes what a document states and figures do not repeat.
  fileprivate mutating func complete(from document: Self, hasVersion: Bool) {
    facts = document.facts
    if !hasVersion { version = document.version }
    if begin.isEmpty, end.isEmpty { (begin, end) = (document.begin, document.end) }
    // Diagnostics of several versions are counted for each.
    isMixed = isMixed || document.isDay && document.isMixed
    isSimulated = isSimulated || document.isSimulated
    if source.hasPrefix("#") { source = document.source }
  }
}
