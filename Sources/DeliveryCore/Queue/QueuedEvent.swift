/// An event that is ready to be sent: its JSON lacks `sentAt` alone.
package struct QueuedEvent: Sendable, Hashable {
  /// The id by which servers recognize a repetition: epoch milliseconds, a hyphen, a UUID.
  package let messageID: String
  /// The creation, or what the caller gave for it, as it is written in the JSON.
  package let timestamp: String
  /// The JSON object, braces included, in UTF-8.
  package let json: [UInt8]

  package init(messageID: String, timestamp: String, json: [UInt8]) {
    self.messageID = messageID
    self.timestamp = timestamp
    self.json = json
  }

  /// Bytes counted against the memory bound.
  package var bytes: Int { json.count }
}
