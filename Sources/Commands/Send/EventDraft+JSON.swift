import Delivery
import Foundation

extension EventDraft {
  /// Why a line is no event.
  enum Problem: Error, Equatable {
    case notAnObject
    case unknownType(String)
    case missing(String)
    case tooLong

    var text: String {
      switch self {
      case .notAnObject: "no JSON object"
      case .unknownType(let type):
        "unknown type '\(type.prefix(40))': expected track, identify, group, screen, page or alias"
      case .missing(let member): "'\(member)' is missing"
      case .tooLong: "longer than \(EventLines.defaultLongest >> 20) MiB"
      }
    }
  }

  /// Reads an event as it is sent, or as a call would give it: its type, track where it has none, and what belongs to it.
  init(line: Data) throws(Problem) {
    guard let object = try? JSONDecoder().decode([String: PropertyValue].self, from: line) else {
      throw .notAnObject
    }
    let type = object.text("type") ?? Kind.track.rawValue
    guard let kind = Kind(rawValue: type) else { throw .unknownType(type) }
    let name = object.text("event") ?? object.text("name")
    let (properties, traits) = (object.members("properties"), object.members("traits"))
    switch kind {
    case .track: self = .track(try Self.needed(name, "event"), properties: properties)
    case .screen: self = .screen(try Self.needed(name, "name"), properties: properties)
    case .page: self = .page(try Self.needed(name, "name"), properties: properties)
    case .identify: self = .identify(try Self.needed(object.text("userId"), "userId"), traits: traits)
    case .group: self = .group(try Self.needed(object.text("groupId"), "groupId"), traits: traits)
    case .alias:
      let previous = object.text("previousId") ?? properties?.text("previousId")
      self = .alias(try Self.needed(object.text("userId"), "userId"), previous: previous)
    }
    if kind != .identify && kind != .alias { userID = object.text("userId") }
    if kind != .group { groupID = object.text("groupId") }
    anonymousID = object.text("anonymousId")
    integrations = object.members("integrations")
    timestamp = object.text("timestamp")
    messageID = object.text("messageId").flatMap { MessageID.isValid($0) ? $0 : nil }
  }

  private static func needed(_ text: String?, _ member: String) throws(Problem) -> String {
    guard let text, !text.isBlank else { throw .missing(member) }
    return text
  }
}

extension [String: PropertyValue] {
  fileprivate func text(_ member: String) -> String? {
    if case .text(let text) = self[member] { text } else { nil }
  }

  fileprivate func members(_ member: String) -> [String: PropertyValue]? {
    if case .object(let members) = self[member] { members } else { nil }
  }
}
