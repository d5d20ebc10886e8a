import Codecs
import JSONLines

/// One recorded figure of a payload as JSON, before it is interpreted; the members that it shares with its payload are in
/// the document of that, and in figures of older stores too.
///
/// Its texts refer to the bytes that were read.
struct RecordedFigure {
  private(set) var unit: JSONText?
  private(set) var version: JSONText?
  private(set) var begin: JSONText?
  private(set) var end: JSONText?
  /// The name of the payload's file and the hash of its content.
  private(set) var source: JSONText?
  private(set) var isMixed = false
  private(set) var isSimulated = false
  /// The value, if it is a number.
  private(set) var number: Double?
  /// The JSON of a histogram's bins.
  private(set) var bins: UnsafeRawBufferPointer?

  /// Reads a value; `nil` if it is not a struct.
  init?(_ json: UnsafeRawBufferPointer) {
    guard JSONToken.forEachMember(of: json, { take($0, $1) }) else { return nil }
  }

  private mutating func take(_ name: JSONText, _ value: JSONToken) {
    switch value {
    case .text(let text): take(name, text)
    case .number:
      if number == nil, name.equals("value") { number = value.number }
    case .array(let json):
      if bins == nil, name.equals("bins") { bins = json }
    case .bool(true):
      if name.equals("multipleVersions") { isMixed = true }
      if name.equals("simulated") { isSimulated = true }
    case .bool(false), .null, .object: break
    }
  }

  private mutating func take(_ name: JSONText, _ text: JSONText) {
    if source == nil, name.equals("source") { source = text }
    if version == nil, name.equals("appVersion") { version = text }
    if unit == nil, name.equals("unit") { unit = text }
    if begin == nil, name.equals("begin") { begin = text }
    if end == nil, name.equals("end") { end = text }
  }

  /// The bins of a histogram, except those with missing or unordered bounds or a negative count.
  func readBins() -> [PayloadArchive.Bin] {
    guard let bins else { return [] }
    var found: [PayloadArchive.Bin] = []
    _ = JSONToken.forEachElement(of: bins) { element in
      if case .object(let json) = element, let bin = PayloadArchive.Bin(json) { found.append(bin) }
    }
    return found
  }

  /// Digits of the hash by which figures name their payload.
  private static let referenceLength = 16

  /// The text that all sources of one payload share, the begin of the hash in `name#hash`: the same file under another
  /// name is the same payload.
  static func group(ofSource source: String) -> String {
    let hash = source.lastIndex(of: "#").map { source[source.index(after: $0)...] } ?? ""
    return hash.isEmpty ? source : String(hash.prefix(referenceLength))
  }
}

extension PayloadArchive.Bin {
  fileprivate init?(_ json: UnsafeRawBufferPointer) {
    var (start, end, count): (Double?, Double?, Int?)
    let isWhole = JSONToken.forEachMember(of: json) { name, value in
      if start == nil, name.equals("start") { start = value.number }
      if end == nil, name.equals("end") { end = value.number }
      if count == nil, name.equals("count") { count = value.integer }
    }
    guard isWhole, let start, let end, let count, start <= end, count >= 0 else { return nil }
    self.init(start: start, end: end, count: count)
  }
}
