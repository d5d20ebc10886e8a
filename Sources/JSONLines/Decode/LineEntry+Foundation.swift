import Codecs
import Essentials

extension LineEntry {
  /// Reads a line with Foundation's decoder, which is slow and tolerant; a line that it refuses is rejected for good.
  init(foundation line: UnsafeRawBufferPointer) throws(LineFault) {
    let line = line.withoutByteOrderMark
    guard String(validating: line, as: UTF8.self) != nil else { throw LineFault(.invalidUTF8) }
    do {
      let wire = try JSONDecoder().decode(WireEntry.self, from: Data(line))
      self.init(
        bucket: wire.metric.bucket, name: wire.metric.name, typeName: wire.metric.valueTypeString,
        time: wire.timestamp, value: Array(wire.value.utf8))
    } catch let error as DecodingError {
      throw LineFault(Self.reason(error, line))
    } catch {
      throw LineFault(.notJSON)
    }
    guard time.isFinite else { throw LineFault(.timestampOutOfRange) }
  }

  /// The part of the entry that the decoder failed on.
  private static func reason(_ error: DecodingError, _ line: UnsafeRawBufferPointer) -> RejectionReason {
    let path: [any CodingKey]
    switch error {
    case .keyNotFound(let key, let context): path = context.codingPath + [key]
    case .typeMismatch(_, let context), .valueNotFound(_, let context): path = context.codingPath
    case .dataCorrupted: return flaw(of: line)
    @unknown default: return .notJSON
    }
    switch path.first?.stringValue {
    case "metric": return isJSON(line) ? .noMetric : .notJSON
    case "timestamp": return .noTimestamp
    case "value": return .noValue
    default: return .notAnObject
    }
  }

  /// True for a line without what Foundation tolerates.
  private static func isJSON(_ line: UnsafeRawBufferPointer) -> Bool {
    var tokenizer = JSONTokenizer(line)
    guard tokenizer.skipValue() else { return false }
    tokenizer.skipWhitespace()
    return tokenizer.isAtEnd
  }

  /// The reason Foundation considers a line invalid JSON.
  ///
  /// For Foundation that includes a time stamp that overflows a double, and values nested too deeply.
  private static func flaw(of line: UnsafeRawBufferPointer) -> RejectionReason {
    var tokenizer = JSONTokenizer(line)
    var isHuge = false
    tokenizer.skipWhitespace()
    guard tokenizer.byte == UInt8(ascii: "{") else {
      _ = tokenizer.skipValue()
      return tokenizer.error?.reason == .tooDeep ? .nestedTooDeep : .notJSON
    }
    let isObject = tokenizer.members { tokenizer, key in
      guard key.equals("timestamp") else { return tokenizer.skipValue() }
      guard let digits = tokenizer.number() else { return false }
      isHuge = Double(String(decoding: digits, as: UTF8.self))?.isFinite == false
      return true
    }
    if tokenizer.error?.reason == .tooDeep { return .nestedTooDeep }
    return isObject && isHuge ? .timestampOutOfRange : .notJSON
  }
}

/// The members of an entry as in the file.
private struct WireEntry: Decodable {
  struct WireMetric: Decodable {
    let bucket: String?
    let name: String
    let valueTypeString: String
  }

  let metric: WireMetric
  let timestamp: Double
  let value: String
}
