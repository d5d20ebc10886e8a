/// A whole event as it is sent, except for the moment of sending.
package struct DeliveredEvent: Sendable, Hashable {
  package var kind: EventDraft.Kind
  package var event: String?
  package var userID: String?
  package var anonymousID: String
  package var groupID: String?
  package var properties: [String: PropertyValue]?
  package var traits: [String: PropertyValue]?
  package var integrations: [String: PropertyValue]?
  package var timestamp: String
  package var writeKey: String
  package var messageID: String
  /// The JSON of the context.
  package var context: [UInt8]

  /// Fills in what the call did not say; ids that it said win.
  package init(
    _ draft: EventDraft, identity: Identity, context: [UInt8], messageID: String, timestamp: String,
    writeKey: String
  ) {
    kind = draft.kind
    event = draft.event
    userID = draft.userID ?? identity.userID
    anonymousID = draft.anonymousID ?? identity.anonymousID
    groupID = draft.groupID ?? identity.groupID
    properties = draft.properties
    traits = draft.traits
    integrations = draft.integrations
    self.timestamp = draft.timestamp ?? timestamp
    self.writeKey = writeKey
    self.messageID = messageID
    self.context = context
  }
}
