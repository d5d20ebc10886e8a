/// An event that is ready to be sent: its JSON lacks only `sentAt`.
package struct QueuedEvent: Sendable, Hashable {
  /// The id by which servers recognize duplicates: epoch milliseconds, a hyphen, a UUID.
  package let messageID: String
  /// The creation time, or the caller's timestamp, as written in the JSON.
  package let timestamp: String
  /// The JSON object, with its braces, in UTF-8.
  package let json: [UInt8]

  package init(messageID: String, timestamp: String, json: [UInt8]) {
    self.messageID = messageID
    self.timestamp = timestamp
    self.json = json
  }

  /// Size counted against the memory limit, in bytes.
  package var bytes: Int { json.count }
}
