/// The contents of a call, before it becomes an event.
package struct EventDraft: Sendable, Hashable {
  /// The type of an event; the text is the one that is sent.
  package enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    case track, identify, group, screen, page, alias
  }

  package var kind: Kind
  /// The name of the event, the screen or the page.
  package var event: String?
  /// An id of its own; without one that of the identity is sent.
  package var userID: String?
  package var anonymousID: String?
  package var groupID: String?
  package var properties: [String: PropertyValue]?
  package var traits: [String: PropertyValue]?
  package var integrations: [String: PropertyValue]?
  /// A moment of its own, sent as it is; without one that of the call is sent.
  package var timestamp: String?

  /// An id of its own, by which servers recognize a repetition; without one the client makes it.
  package var messageID: String?

  package init(_ kind: Kind) {
    self.kind = kind
  }

  /// True if it sets an id that is blank; such a call is refused.
  package var hasBlankID: Bool {
    switch kind {
    case .identify, .alias: userID?.isBlank ?? true
    case .group: groupID?.isBlank ?? true
    case .track, .screen, .page: false
    }
  }
}

extension EventDraft {
  package static func track(_ event: String, properties: [String: PropertyValue]? = nil) -> EventDraft {
    var draft = EventDraft(.track)
    draft.event = event
    draft.properties = properties
    return draft
  }

  package static func identify(_ userID: String, traits: [String: PropertyValue]? = nil) -> EventDraft {
    var draft = EventDraft(.identify)
    draft.userID = userID
    draft.traits = traits
    return draft
  }

  package static func group(_ groupID: String, traits: [String: PropertyValue]? = nil) -> EventDraft {
    var draft = EventDraft(.group)
    draft.groupID = groupID
    draft.traits = traits
    if !groupID.isBlank { draft.properties = ["groupId": .text(groupID)] }
    return draft
  }

  package static func screen(_ name: String, properties: [String: PropertyValue]? = nil) -> EventDraft {
    named(name, .screen, properties)
  }

  package static func page(_ name: String, properties: [String: PropertyValue]? = nil) -> EventDraft {
    named(name, .page, properties)
  }

  /// - Parameters:
  ///   - userID: The new id.
  ///   - previous: The one that it replaces.
  package static func alias(_ userID: String, previous: String? = nil) -> EventDraft {
    var draft = EventDraft(.alias)
    draft.userID = userID
    draft.properties = previous.map { ["previousId": .text($0)] }
    return draft
  }

  private static func named(
    _ name: String, _ kind: Kind, _ properties: [String: PropertyValue]?
  ) -> EventDraft {
    var draft = EventDraft(kind)
    draft.event = name
    draft.properties = properties ?? [:]
    draft.properties?["name"] = .text(name)
    return draft
  }
}
