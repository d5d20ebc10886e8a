import Codecs
package import Essentials

/// The body to post: `{"batch":[event,…]}`.
package enum BatchBody {
  /// The body for one attempt; each event gets the moment of sending before its closing brace.
  package static func bytes(_ events: [QueuedEvent], sentAt: Date) -> [UInt8] {
    let end = Array("\"sentAt\":\"\(EventTime.text(sentAt))\"}".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(events.reduce(16) { $0 + $1.json.count + end.count + 2 })
    JSONWriter.append("{\"batch\":[", to: &bytes)
    for (index, event) in events.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: event.json.dropLast())
      if event.json.count > 2 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: end)
    }
    JSONWriter.append("]}", to: &bytes)
    return bytes
  }
}
