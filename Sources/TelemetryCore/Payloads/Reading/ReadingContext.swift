/// Where a reader is, and what it found odd until there.
struct ReadingContext {
  /// Where the document begins.
  let document: PayloadPlace
  private var path: [String]
  private(set) var reading: PayloadReading
  /// The first quantity of a payload that is written as a region does, so that number and unit are understood, not known.
  var regionalText: String?
  /// True if the payload that was read last had such a quantity.
  var isLocalized = false

  init(document: PayloadPlace, path: [String] = [], reading: PayloadReading) {
    (self.document, self.path, self.reading) = (document, path, reading)
  }

  var place: PayloadPlace {
    PayloadPlace(line: document.line, byte: document.byte, path: path)
  }

  /// Reads what lies under a key.
  mutating func at<Value>(_ key: String, _ read: (inout ReadingContext) -> Value) -> Value {
    path.append(key)
    defer { path.removeLast() }
    return read(&self)
  }

  /// Keeps that something is odd here.
  mutating func note(_ text: String) {
    reading.add(PayloadNote(place: place, text: text))
  }

  /// Keeps that something is odd under a key.
  mutating func note(_ text: String, at key: String) {
    at(key) { $0.note(text) }
  }

  /// Keeps that this is no payload.
  mutating func fail(_ code: PayloadReadingError.Code, _ text: String) {
    reading.add(PayloadReadingError(code: code, place: place, text: text))
  }

  /// Takes a payload that was read here, unless it was read before.
  mutating func take(_ payload: Payload, seen: inout Set<PayloadHash>) {
    let hash = payload.contentHash
    if seen.insert(hash).inserted {
      reading.items.append(
        .init(place: place, payload: payload, contentHash: hash, isLocalized: isLocalized))
    } else {
      reading.duplicates.append(place)
    }
  }
}
