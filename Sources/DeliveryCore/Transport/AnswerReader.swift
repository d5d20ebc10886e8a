import Essentials

/// The parts of an answer that are read: its status, one header, and the beginning of its body, with limits for any
/// server.
///
/// Header lines arrive one by one, as libcurl delivers them, with interim answers before the final one; lines after the
/// final header are trailers.
struct AnswerReader {
  /// Maximum bytes of headers, including those of interim answers and trailers.
  static let headLimit = 64 << 10
  /// Maximum bytes of the body.
  static let bodyLimit = 64 << 10

  private enum Place {
    case statusLine
    case head
    case behindHead
  }

  private var place = Place.statusLine
  private var status: Int?
  private var retryAfter: String?
  private var beginning: [UInt8] = []
  private(set) var headBytes = 0
  private(set) var bodyBytes = 0

  /// The answer so far; `nil` before its status line.
  var answer: DeliveryAnswer? {
    guard let status, status >= 200 else { return nil }
    return DeliveryAnswer(
      status: status, retryAfter: retryAfter, detail: DeliveryAnswer.detail(of: beginning))
  }

  /// Handles a header line.
  ///
  /// - Returns: Whether to continue.
  mutating func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
    headBytes += min(line.count, Self.headLimit)
    guard headBytes < Self.headLimit else { return false }
    let line = UnsafeRawBufferPointer(rebasing: line.trimmingBlanks())
    switch place {
    case .statusLine:
      status = Self.status(of: line)
      place = .head
      return status != nil
    case .head where line.isEmpty:
      place = answer == nil ? .statusLine : .behindHead
    case .head:
      takeField(line)
    case .behindHead: break
    }
    return true
  }

  /// Handles a piece of the body.
  ///
  /// - Returns: Whether to continue.
  mutating func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
    bodyBytes += min(piece.count, Self.bodyLimit)
    beginning.append(contentsOf: piece.prefix(DeliveryAnswer.detailLimit - beginning.count))
    return bodyBytes < Self.bodyLimit
  }

  /// The number in the middle of `HTTP/1.1 200 OK`, from 100 to 999.
  private static func status(of line: UnsafeRawBufferPointer) -> Int? {
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count >= 2, words[0].starts(with: "HTTP/".utf8), words[1].count == 3,
      words[1].allSatisfy(\.isDigit), words[1].first != UInt8(ascii: "0")
    else { return nil }
    return words[1].reduce(0) { $0 * 10 + Int($1 & 0x0F) }
  }

  /// The first of several headers of the same name counts.
  private mutating func takeField(_ line: UnsafeRawBufferPointer) {
    guard answer != nil, retryAfter == nil, let colon = line.firstIndex(of: UInt8(ascii: ":")),
      String(decoding: line[..<colon], as: UTF8.self).lowercased() == "retry-after"
    else { return }
    retryAfter = String(decoding: line[(colon + 1)...].trimmingBlanks(), as: UTF8.self)
  }
}

extension DeliveryAnswer {
  /// Maximum length of ``detail(of:)``, in bytes.
  static let detailLimit = 2 << 10

  /// The beginning of a body as text; `nil` for an empty one.
  static func detail(of body: some Collection<UInt8>) -> String? {
    guard !body.isEmpty else { return nil }
    var text = String(decoding: body.prefix(detailLimit), as: UTF8.self)
    // Invalid UTF-8 was replaced by U+FFFD (three bytes); the last one may be half a character.
    while text.utf8.count > detailLimit { text.unicodeScalars.removeLast() }
    return text
  }
}
