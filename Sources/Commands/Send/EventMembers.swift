import Codecs
import DeliveryCore
import Essentials

/// The members of a line that belong to an event, each of its required type.
///
/// Nothing is dropped or altered silently: a member that cannot be sent as written is a problem of the line. Members
/// unknown to events are ignored.
struct EventMembers {
  private static let texts: Set = [
    "type", "event", "name", "userId", "groupId", "anonymousId", "previousId", "timestamp", "messageId",
  ]
  private static let objects: Set = ["properties", "traits", "integrations"]

  private var values: [String: PropertyValue] = [:]

  init(_ line: Data) throws(EventDraft.Problem) {
    let problem = line.withUnsafeBytes { read($0.withoutByteOrderMark) }
    if let problem { throw problem }
  }

  func text(_ member: String) -> String? {
    if case .text(let text) = values[member] { text } else { nil }
  }

  func object(_ member: String) -> [String: PropertyValue]? {
    if case .object(let members) = values[member] { members } else { nil }
  }

  /// - Returns: The reason why the line is not an event; `nil` if it is one.
  private mutating func read(_ line: UnsafeRawBufferPointer) -> EventDraft.Problem? {
    var (reader, tokenizer) = (PropertyReader(), JSONTokenizer(line))
    var problem: EventDraft.Problem?
    tokenizer.skipWhitespace()
    let isRead = tokenizer.members { tokenizer, name in
      let name = name.string
      let isText = Self.texts.contains(name)
      guard isText || Self.objects.contains(name) else { return tokenizer.skipValue() }
      let isEmptyList = !isText && Self.isEmptyList(tokenizer)
      guard isEmptyList || [UInt8(ascii: isText ? "\"" : "{"), UInt8(ascii: "n")].contains(tokenizer.byte)
      else {
        problem = problem ?? (isText ? .notText(name) : .notObject(name))
        return tokenizer.skipValue()
      }
      guard let value = reader.read(&tokenizer) else { return false }
      if values[name] == nil { values[name] = isEmptyList ? .object([:]) : value }
      return true
    }
    if isRead, tokenizer.finishes() { return problem ?? reader.flaw.map { .unsendable($0) } }
    // The reader stops at a value that cannot be sent; any other stop leaves an error.
    guard let error = tokenizer.error else { return reader.flaw.map { .unsendable($0) } ?? .notAnObject }
    return Self.problem(error.reason, of: line)
  }

  /// True if an empty array comes next, which is how PHP encodes an empty object.
  private static func isEmptyList(_ tokenizer: JSONTokenizer) -> Bool {
    var ahead = tokenizer
    return ahead.byte == UInt8(ascii: "[") && ahead.elements { _ in false }
  }

  /// The problem with a line that the tokenizer rejects.
  private static func problem(
    _ reason: JSONSyntaxError.Reason, of line: UnsafeRawBufferPointer
  ) -> EventDraft.Problem {
    var tokenizer = JSONTokenizer(line, repairsText: true)
    switch reason {
    case .tooDeep: return .nestedTooDeep
    case .badEscape where tokenizer.skipValue() && tokenizer.finishes(): return .halfCharacter
    case .endsTooEarly, .expected, .controlCharacter, .badEscape, .badNumber, .numberTooLarge, .notUTF8:
      return .notAnObject
    }
  }
}
