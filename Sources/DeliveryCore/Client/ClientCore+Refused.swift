import Essentials

/// An event that the endpoint refused, with the reason that it gave.
public struct RefusedEvent: Codable, Hashable, Sendable {
  /// The event's id.
  public let messageID: String
  /// The event's time, as it was sent.
  public let timestamp: String
  /// The status of the answer.
  public let status: Int
  /// The beginning of the answer's body (untrusted), at most 2 KiB.
  public let answer: String?
  /// The event as JSON, without `sentAt`.
  public let json: String
}

/// The refusal of a batch.
package struct Refusal: Sendable {
  let events: [QueuedEvent]
  let status: Int
  let answer: String?

  init?(events: [QueuedEvent], _ concluded: Concluded) {
    guard let status = concluded.status else { return nil }
    (self.events, self.status, answer) = (events, status, concluded.detail)
  }
}

extension ClientCore {
  /// Maximum refused events that are kept, and their maximum size in bytes.
  private static var refusedLimit: (events: Int, bytes: Int) { (100, 1 << 20) }

  /// The refused events, oldest first.
  var refusedEvents: [RefusedEvent] {
    mutating get {
      if let refused { return refused }
      let text = keepsRefused ? refusedValues.value("refused") ?? "" : ""
      let stored = (try? JSONDecoder().decode([RefusedEvent].self, from: Data(text.utf8))) ?? []
      refused = stored
      return stored
    }
  }

  /// Keeps refused events for the app; beyond the limits, the oldest make room.
  mutating func setAside(_ refusal: Refusal) {
    var kept = refusedEvents
    for event in refusal.events {
      kept.removeAll { $0.messageID == event.messageID }
      kept.append(
        RefusedEvent(
          messageID: event.messageID, timestamp: event.timestamp, status: refusal.status,
          answer: refusal.answer, json: String(decoding: event.json, as: UTF8.self)))
    }
    var bytes = kept.reduce(0) { $0 + $1.json.utf8.count }
    while kept.count > Self.refusedLimit.events || bytes > Self.refusedLimit.bytes, !kept.isEmpty {
      bytes -= kept.removeFirst().json.utf8.count
    }
    keepRefused(kept)
  }

  /// True if events may be written to disk.
  private var keepsRefused: Bool { options.maxDiskEvents > 0 }

  mutating func keepRefused(_ events: [RefusedEvent]) {
    refused = events
    guard keepsRefused else { return }
    let text = (try? JSONEncoder().encode(events)).map { String(decoding: $0, as: UTF8.self) }
    do { try refusedValues.set(events.isEmpty ? nil : text, for: "refused") } catch {
      notStored("Refused events", error)
    }
  }

  /// Queues the refused events once more, with their ids and times.
  mutating func sendRefusedAgain() {
    guard lifecycle.state == .ready else {
      return recordAct("sendRefusedAgain", refused: lifecycle.state.rawValue)
    }
    let events = refusedEvents
    recordAct("sendRefusedAgain", argument: String(events.count))
    for event in events {
      handle(
        .queued(
          QueuedEvent(
            messageID: event.messageID, timestamp: event.timestamp, json: Array(event.json.utf8))))
    }
    // First on disk, then forgotten here: a process killed in between sends them twice, with the same ids.
    handle(.terminated)
    if machine.queue.isEmpty || !machine.configuration.usesDisk { keepRefused([]) }
  }
}

extension DeliveryAnswer {
  /// True if the answer is a web page, as a network that wants a login gives to any request.
  var isLoginPage: Bool {
    guard 200..<300 ~= status, let text = detail?.prefix(1024).lowercased() else { return false }
    guard text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) == "<" else { return false }
    return ["<!doctype html", "<html", "<head", "<body"].contains { text.contains($0) }
  }
}
