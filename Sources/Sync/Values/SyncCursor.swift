/// How far the server's feed of changes was read: a number that grows, or a text that only the server understands.
///
/// ```swift
/// let page = ChangePage(changes: changes, cursor: SyncCursor(opaque: answer.nextToken), hasMore: answer.hasMore)
/// ```
public struct SyncCursor: Hashable, Sendable, CustomStringConvertible {
  /// Before everything: nothing was ever fetched.
  public static let start = SyncCursor(0)

  /// The number; 0 for a text.
  public let number: Int64
  /// The text that only the server understands; `nil` for a number.
  public let text: String?

  /// A number; a negative one counts as 0.
  public init(_ number: Int64) {
    self.number = max(0, number)
    text = nil
  }

  /// A text that only the server understands; an empty one is the start.
  public init(opaque text: String) {
    number = 0
    self.text = text.isEmpty ? nil : text
  }

  /// True if nothing was fetched yet.
  package var isStart: Bool { number == 0 && text == nil }

  /// The cursor as text.
  public var description: String { text ?? String(number) }

  /// True if the feed moves on from `other` to here.
  ///
  /// Of texts no one can tell: any other one counts as later.
  package func isBeyond(_ other: SyncCursor) -> Bool {
    guard text == nil, other.text == nil else { return !isStart && self != other }
    return number > other.number
  }
}

extension SyncCursor: ExpressibleByIntegerLiteral {
  /// A number.
  public init(integerLiteral value: Int64) { self.init(value) }
}

extension SyncCursor: Codable {
  /// Decodes a JSON number or text.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self.init(number)
    } else {
      self.init(opaque: try container.decode(String.self))
    }
  }

  /// Encodes a JSON number or text.
  ///
  /// - Throws: `EncodingError`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let text { try container.encode(text) } else { try container.encode(number) }
  }
}
