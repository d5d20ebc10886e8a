import Essentials

/// The parts of an answer that are read: its status, some headers, and the beginning of its body, with limits for any
/// server.
///
/// Header lines arrive one by one, as libcurl delivers them, with interim answers before the final one; lines after the
/// final header are trailers.
package struct AnswerReader: Sendable {
  /// Maximum bytes that are received and kept.
  package struct Limits: Sendable {
    /// Maximum bytes of headers, including those of interim answers and trailers.
    package static let head = 64 << 10

    /// The body is not received any further from here on.
    package let body: Int
    /// The beginning of the body that is kept.
    package let kept: Int

    package init(body: Int, kept: Int) {
      self.body = body
      self.kept = min(kept, body)
    }
  }

  private enum Place {
    case statusLine
    case head
    case behindHead
  }

  private let limits: Limits
  private let wanted: Set<String>
  private var place = Place.statusLine
  private var status: Int?
  private var fields: [String: String] = [:]
  private var beginning: [UInt8] = []
  private var headBytes = 0
  private var bodyBytes = 0
  /// True once the exchange has ended in order.
  package var hasEnded = false

  /// - Parameter fields: The header lines to keep, in lower case.
  package init(_ limits: Limits, fields: Set<String> = []) {
    self.limits = limits
    wanted = fields
  }

  /// The answer so far; `nil` before its status line.
  package var answer: HTTPAnswer? {
    guard let status, status >= 200 else { return nil }
    return HTTPAnswer(
      status: status, fields: fields, body: beginning, isWhole: hasEnded && beginning.count == bodyBytes)
  }

  /// Handles a header line.
  ///
  /// - Returns: Whether to continue.
  package mutating func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
    headBytes += min(line.count, Limits.head)
    guard headBytes < Limits.head else { return false }
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
  package mutating func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
    bodyBytes += min(piece.count, limits.body)
    beginning.append(contentsOf: piece.prefix(limits.kept - beginning.count))
    return bodyBytes < limits.body
  }

  /// The number in the middle of `HTTP/1.1 200 OK`, from 100 to 999.
  private static func status(of line: UnsafeRawBufferPointer) -> Int? {
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count >= 2, words[0].starts(with: "HTTP/".utf8), words[1].count == 3,
      words[1].allSatisfy(\.isDigit), words[1].first != UInt8(ascii: "0")
    else { return nil }
    return words[1].reduce(0) { $0 * 10 + Int($1 & 0x0F) }
  }

  private mutating func takeField(_ line: UnsafeRawBufferPointer) {
    guard answer != nil, !wanted.isEmpty, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    guard wanted.contains(name), fields[name] == nil else { return }
    fields[name] = String(decoding: line[(colon + 1)...].trimmingBlanks(), as: UTF8.self)
  }
}

extension BidirectionalCollection<UInt8> {
  /// A copy without leading and trailing white space and line breaks.
  package func trimmingBlanks() -> SubSequence {
    let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) })
    else {
      return self[endIndex...]
    }
    return self[first...last]
  }
}

extension UInt8 {
  package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
