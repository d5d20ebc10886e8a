import Codecs
import DeliveryCore
import Essentials

extension EventDraft {
  /// The reason why a line is not an event.
  enum Problem: Error, Equatable {
    case notAnObject
    case unknownType(String)
    case missing(String)
    case notText(String)
    case notObject(String)
    case notMessageID
    case unsendable(PropertyReader.Flaw)
    case halfCharacter
    case nestedTooDeep
    case tooLong

    var text: String {
      switch self {
      case .notAnObject: "not a JSON object"
      case .unknownType(let type):
        "unknown type '\(type.prefix(40))': expected track, identify, group, screen, page or alias"
      case .missing(let member): "'\(member)' is missing"
      case .notText(let member): "'\(member)' is not a string"
      case .notObject(let member): "'\(member)' is not an object"
      case .notMessageID:
        "'messageId' is not a message id: expected milliseconds from 1970, a hyphen and a UUID"
      case .unsendable(.beyondDouble(let digits)): "\(digits.prefix(40)) is a number out of range"
      case .unsendable(.beyondInteger(let digits)):
        "\(digits.prefix(40)) is an integer beyond 64 bits; write it as a string to keep its digits"
      case .unsendable(.tooDeep): Self.nested(PropertyConversion.depthLimit)
      case .halfCharacter: "a string has half of a surrogate pair, which is not a character"
      case .nestedTooDeep: Self.nested(JSONTokenizer.nestingLimit)
      case .tooLong: "longer than \(EventLines.defaultLongest >> 20) MiB"
      }
    }

    private static func nested(_ limit: Int) -> String { "nested more than \(limit) levels deep" }
  }

  /// Parses an event in its wire format or as the arguments of a call: the type, `track` by default, and the members.
  init(line: Data) throws(Problem) {
    let members = try EventMembers(line)
    let type = members.text("type") ?? Kind.track.rawValue
    guard let kind = Kind(rawValue: type) else { throw .unknownType(type) }
    let name = members.text("event") ?? members.text("name")
    let (properties, traits) = (members.object("properties"), members.object("traits"))
    switch kind {
    case .track: self = .track(try Self.needed(name, "event"), properties: properties)
    case .screen: self = .screen(try Self.needed(name, "name"), properties: properties)
    case .page: self = .page(try Self.needed(name, "name"), properties: properties)
    case .identify: self = .identify(try Self.needed(members.text("userId"), "userId"), traits: traits)
    case .group: self = .group(try Self.needed(members.text("groupId"), "groupId"), traits: traits)
    case .alias:
      self = .alias(
        try Self.needed(members.text("userId"), "userId"), previous: members.text("previousId"))
    }
    // Members that the call of this type does not have are sent nevertheless.
    self.traits = traits
    if kind != .track, let properties { self.properties = properties.merging(self.properties ?? [:]) { $1 } }
    if kind != .identify && kind != .alias { userID = members.text("userId") }
    if kind != .group { groupID = members.text("groupId") }
    anonymousID = members.text("anonymousId")
    integrations = members.object("integrations")
    timestamp = members.text("timestamp")
    messageID = members.text("messageId")
    if let messageID, !MessageID.isValid(messageID) { throw .notMessageID }
  }

  private static func needed(_ text: String?, _ member: String) throws(Problem) -> String {
    guard let text, !text.isBlank else { throw .missing(member) }
    return text
  }
}
