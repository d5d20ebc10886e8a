package import Codecs

/// Reads values from JSON.
///
/// A number without point and exponent is an integer if 64 bits hold it. Of a name that is there twice the first counts.
package struct PropertyReader {
  /// Why JSON cannot be sent as it is written.
  package enum Flaw: Hashable, Sendable {
    /// The digits of a number that no double holds.
    case beyondDouble(String)
    /// The digits of a whole number that `Int64` does not hold; its double is read, which has other digits.
    case beyondInteger(String)
    /// Nested deeper than ``PropertyConversion/depthLimit``.
    case tooDeep
  }

  /// The first flaw that was found; the tokenizer reports invalid JSON.
  package private(set) var flaw: Flaw?

  package init() {}

  /// The value that all of the bytes are; `nil` if they are none, or nest too deep to be sent.
  package static func value(_ json: [UInt8]) -> PropertyValue? {
    json.withUnsafeBytes { bytes in
      var (reader, tokenizer) = (PropertyReader(), JSONTokenizer(bytes))
      guard let value = reader.read(&tokenizer), tokenizer.finishes() else { return nil }
      return value
    }
  }

  /// The members of an object; `nil` for any other token.
  static func members(_ token: JSONToken) -> [String: PropertyValue]? {
    guard case .object(let bytes) = token else { return nil }
    var (reader, tokenizer) = (PropertyReader(), JSONTokenizer(bytes))
    guard case .object(let members)? = reader.read(&tokenizer) else { return nil }
    return members
  }

  /// The next value of the tokenizer; `nil` if it is none, or cannot be sent.
  package mutating func read(_ tokenizer: inout JSONTokenizer) -> PropertyValue? {
    read(&tokenizer, depth: 0)
  }

  private mutating func read(_ tokenizer: inout JSONTokenizer, depth: Int) -> PropertyValue? {
    tokenizer.skipWhitespace()
    switch tokenizer.byte {
    case UInt8(ascii: "{"): return object(&tokenizer, depth: depth)
    case UInt8(ascii: "["): return array(&tokenizer, depth: depth)
    default: break
    }
    switch tokenizer.token() {
    case .null: return .null
    case .bool(let isTrue): return .bool(isTrue)
    case .number(let digits): return number(String(decoding: digits, as: UTF8.self))
    case .text(let text): return .text(text.string)
    case .object, .array, nil: return nil
    }
  }

  private mutating func object(_ tokenizer: inout JSONTokenizer, depth: Int) -> PropertyValue? {
    guard allows(depth) else { return nil }
    var members: [String: PropertyValue] = [:]
    let isRead = tokenizer.members { tokenizer, name in
      guard let value = read(&tokenizer, depth: depth + 1) else { return false }
      if case let name = name.string, members[name] == nil { members[name] = value }
      return true
    }
    return isRead ? .object(members) : nil
  }

  private mutating func array(_ tokenizer: inout JSONTokenizer, depth: Int) -> PropertyValue? {
    guard allows(depth) else { return nil }
    var values: [PropertyValue] = []
    let isRead = tokenizer.elements { tokenizer in
      guard let value = read(&tokenizer, depth: depth + 1) else { return false }
      values.append(value)
      return true
    }
    return isRead ? .array(values) : nil
  }

  /// True if a container may be nested that deep.
  private mutating func allows(_ depth: Int) -> Bool {
    if depth >= PropertyConversion.depthLimit { flaw = flaw ?? .tooDeep }
    return depth < PropertyConversion.depthLimit
  }

  private mutating func number(_ digits: String) -> PropertyValue? {
    if let integer = Int64(digits) { return .integer(integer) }
    guard let number = Double(digits), number.isFinite else {
      flaw = flaw ?? .beyondDouble(digits)
      return nil
    }
    let isWhole = digits.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- UInt8(ascii: "0") < 10 }
    if isWhole { flaw = flaw ?? .beyondInteger(digits) }
    return .double(number)
  }
}

extension DeliveredEvent {
  /// Reads an event as ``json`` writes it; `nil` if a member that each event has is missing or of another kind.
  ///
  /// Other members are skipped, the moment of sending among them.
  package init?(json: [UInt8]) {
    var (texts, objects, context) = ([String: String](), [String: [String: PropertyValue]](), [UInt8]?.none)
    var isReadable = true
    let isObject = json.withUnsafeBytes { bytes in
      JSONToken.forEachMember(of: bytes) { name, value in
        let name = name.string
        switch value {
        case .text(let text) where texts[name] == nil: texts[name] = text.string
        case .object(let bytes) where name == "context": context = context ?? Array(bytes)
        case .object where objects[name] == nil:
          objects[name] = PropertyReader.members(value)
          isReadable = isReadable && objects[name] != nil
        case .text, .object, .null, .bool, .number, .array: break
        }
      }
    }
    guard isObject, isReadable, let kind = texts["type"].flatMap(EventDraft.Kind.init), let context,
      let anonymousID = texts["anonymousId"], let timestamp = texts["timestamp"],
      let writeKey = texts["writeKey"], let messageID = texts["messageId"]
    else { return nil }
    var draft = EventDraft(kind)
    draft.event = texts["event"]
    draft.userID = texts["userId"]
    draft.groupID = texts["groupId"]
    draft.properties = objects["properties"]
    draft.traits = objects["traits"]
    draft.integrations = objects["integrations"]
    self.init(
      draft, identity: Identity(anonymousID: anonymousID), context: context, messageID: messageID,
      timestamp: timestamp, writeKey: writeKey)
  }
}
