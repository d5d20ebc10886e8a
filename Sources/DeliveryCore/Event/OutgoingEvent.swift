/// An event before it is queued, as ``InitOptions/enrich`` receives it.
///
/// Its type, its ids and its time are fixed.
public struct OutgoingEvent: Sendable, Hashable {
  /// The type, as it is sent: `track`, `identify`, `group`, `screen`, `page` or `alias`.
  public let type: String
  /// The id by which the endpoint recognizes a repetition.
  public let messageID: String
  /// The user's id; `nil` for an anonymous user.
  public let userID: String?
  /// The group's id.
  public let groupID: String?
  /// The name of the event, the screen or the page.
  public var name: String?
  /// The properties.
  public var properties: [String: PropertyValue]?
  /// The traits of a user or a group.
  public var traits: [String: PropertyValue]?
  /// The destinations of the event, for endpoints that know them.
  public var integrations: [String: PropertyValue]?

  init(_ draft: EventDraft, messageID: String, identity: Identity) {
    (type, self.messageID) = (draft.kind.rawValue, messageID)
    (userID, groupID) = (draft.userID ?? identity.userID, draft.groupID ?? identity.groupID)
    (name, properties, traits) = (draft.event, draft.properties, draft.traits)
    integrations = draft.integrations
  }
}

extension EventDraft {
  /// The event after the app has seen it; `nil` if the app vetoed it.
  func enriched(
    by enrich: (@Sendable (OutgoingEvent) -> OutgoingEvent?)?, messageID: String, identity: Identity
  ) -> EventDraft? {
    guard let enrich else { return self }
    guard let event = enrich(OutgoingEvent(self, messageID: messageID, identity: identity)) else {
      return nil
    }
    var draft = self
    (draft.event, draft.properties, draft.traits) = (event.name, event.properties, event.traits)
    draft.integrations = event.integrations
    return draft
  }
}
