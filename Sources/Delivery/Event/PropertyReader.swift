import Codecs

/// Reads values from JSON.
///
/// A number without point and exponent is an integer if 64 bits hold it. Of a name that is there twice the first counts.
package enum PropertyReader {
  /// The value that all of the bytes are; `nil` if they are none, or nest too deep to be sent.
  package static func value(_ json: [UInt8]) -> PropertyValue? {
    json.withUnsafeBytes { bytes in
      var tokenizer = JSONTokenizer(bytes)
      guard let value = read(&tokenizer, depth: 0), tokenizer.finishes() else { return nil }
      return value
    }
  }

  /// The members of an object; `nil` for any other token.
  static func members(_ token: JSONToken) -> [String: PropertyValue]? {
    guard case .object(let bytes) = token else { return nil }
    var tokenizer = JSONTokenizer(bytes)
    guard case .object(let members)? = read(&tokenizer, depth: 0) else { return nil }
    return members
  }

  private static func read(_ tokenizer: inout JSONTokenizer, depth: Int) -> PropertyValue? {
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

  private static func object(_ tokenizer: inout JSONTokenizer, depth: Int) -> PropertyValue? {
    var members: [String: PropertyValue] = [:]
    let isRead =
      depth < PropertyConversion.depthLimit
      && tokenizer.members { tokenizer, name in
        guard let value = read(&tokenizer, depth: depth + 1) else { return false }
        if case let name = name.string, members[name] == nil { members[name] = value }
        return true
      }
    return isRead ? .object(members) : nil
  }

  private static func array(_ tokenizer: inout JSONTokenizer, depth: Int) -> PropertyValue? {
    var values: [PropertyValue] = []
    let isRead =
      depth < PropertyConversion.depthLimit
      && tokenizer.elements { tokenizer in
        guard let value = read(&tokenizer, depth: depth + 1) else { return false }
        values.append(value)
        return true
      }
    return isRead ? .array(values) : nil
  }

  private static func number(_ digits: String) -> PropertyValue? {
    if let integer = Int64(digits) { return .integer(integer) }
    guard let number = Double(digits), number.isFinite else { return nil }
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
