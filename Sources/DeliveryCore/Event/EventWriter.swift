import Codecs
package import Essentials

/// Makes events ready to be sent.
package struct EventWriter: Sendable {
  private let writeKey: String

  package init(writeKey: String) {
    self.writeKey = writeKey
  }

  /// The event of a call.
  ///
  /// - Parameters:
  ///   - draft: The values of the call; its ids and its time take precedence.
  ///   - context: JSON, from ``ContextCache``.
  ///   - timestamp: The time of the call.
  package func write(
    _ draft: EventDraft, identity: Identity, context: [UInt8], messageID: String, timestamp: Date
  ) -> QueuedEvent {
    let event = DeliveredEvent(
      draft, identity: identity, context: context, messageID: messageID,
      timestamp: draft.timestamp ?? EventTime.text(timestamp), writeKey: writeKey)
    return QueuedEvent(messageID: messageID, timestamp: event.timestamp, json: event.json)
  }
}

extension DeliveredEvent {
  /// The JSON object without `sentAt`; what is absent is left out.
  package var json: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(context.count + 1024)
    JSONWriter.append("{\"type\":\"", to: &bytes)
    bytes.append(contentsOf: kind.rawValue.utf8)
    bytes.append(UInt8(ascii: "\""))
    Self.append(",\"event\":", event, to: &bytes)
    Self.append(",\"userId\":", userID, to: &bytes)
    Self.append(",\"anonymousId\":", anonymousID, to: &bytes)
    Self.append(",\"groupId\":", groupID, to: &bytes)
    Self.append(",\"properties\":", properties, to: &bytes)
    Self.append(",\"traits\":", traits, to: &bytes)
    Self.append(",\"integrations\":", integrations, to: &bytes)
    Self.append(",\"timestamp\":", timestamp, to: &bytes)
    Self.append(",\"writeKey\":", writeKey, to: &bytes)
    Self.append(",\"messageId\":", messageID, to: &bytes)
    JSONWriter.append(",\"context\":", to: &bytes)
    bytes.append(contentsOf: context)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private static func append(_ name: StaticString, _ text: String?, to bytes: inout [UInt8]) {
    guard let text else { return }
    JSONWriter.append(name, to: &bytes)
    JSONWriter.append(text: text, to: &bytes, escapesSlashes: false)
  }

  private static func append(
    _ name: StaticString, _ members: [String: PropertyValue]?, to bytes: inout [UInt8]
  ) {
    guard let members else { return }
    JSONWriter.append(name, to: &bytes)
    PropertyWriter.append(members, to: &bytes)
  }
}
