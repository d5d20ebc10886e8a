/// The position of a reader, and the oddities found so far.
struct ReadingContext {
  /// Start of the document.
  let document: PayloadPlace
  private var path: [String]
  private(set) var reading: PayloadReading
  /// The first quantity of a payload in a regional format, whose number and unit are therefore inferred.
  var regionalText: String?
  /// True if the last payload read had such a quantity.
  var isLocalized = false
  /// True within a report of iOS 27.
  var isReport = false
  /// The places in a report of what is read under the names of earlier payloads, both from the report on.
  private var origins: [[String]: [String]] = [:]
  private var reportDepth = 0

  init(document: PayloadPlace, path: [String] = [], reading: PayloadReading) {
    (self.document, self.path, self.reading) = (document, path, reading)
  }

  var place: PayloadPlace {
    PayloadPlace(line: document.line, byte: document.byte, path: writtenPath)
  }

  /// The path with the names of the report that is read.
  private var writtenPath: [String] {
    guard isReport, path.count > reportDepth else { return path }
    let (before, name) = (path[..<reportDepth], path[reportDepth...])
    for length in (1...name.count).reversed() {
      if let origin = origins[Array(name.prefix(length))] { return before + origin + name.dropFirst(length) }
    }
    return path
  }

  /// Reads a report of iOS 27 that was translated.
  mutating func translated<Value>(
    _ origins: [[String]: [String]], _ read: (inout ReadingContext) -> Value
  ) -> Value {
    (isReport, self.origins, reportDepth) = (true, origins, path.count)
    defer { (isReport, self.origins) = (false, [:]) }
    return read(&self)
  }

  /// Reads the value of a key.
  mutating func at<Value>(_ key: String, _ read: (inout ReadingContext) -> Value) -> Value {
    path.append(key)
    defer { path.removeLast() }
    return read(&self)
  }

  /// Reads the value at some keys.
  mutating func at<Value>(_ keys: [String], _ read: (inout ReadingContext) -> Value) -> Value {
    path += keys
    defer { path.removeLast(keys.count) }
    return read(&self)
  }

  /// Notes an oddity here.
  mutating func note(_ text: String) {
    reading.add(PayloadNote(place: place, text: text))
  }

  /// Notes that the value here is left out.
  mutating func leaveOut(_ text: String) {
    reading.add(leftOut: PayloadNote(place: place, text: text))
  }

  /// Notes an oddity at a key.
  mutating func note(_ text: String, at key: String) {
    at(key) { $0.note(text) }
  }

  /// Records that this is not a payload.
  mutating func fail(_ code: PayloadReadingError.Code, _ text: String) {
    reading.add(PayloadReadingError(code: code, place: place, text: text))
  }

  /// Adds a payload that was read here, unless it is a duplicate.
  mutating func take(
    _ payload: Payload, from found: PayloadSearch.Found, userKey: [String]?, seen: inout Set<PayloadHash>
  ) {
    let origin = PayloadOrigin(found, userKey: userKey)
    let hash = origin.identity(of: payload)
    if seen.insert(hash).inserted {
      reading.items.append(
        .init(place: place, payload: payload, contentHash: hash, isLocalized: isLocalized, origin: origin))
    } else {
      reading.duplicates.append(place)
    }
  }
}
