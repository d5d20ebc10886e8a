import DeliveryCore

/// The outcome of a run, as text for the user.
struct SendReport {
  let status: ClientStatus
  /// Lines that are not events.
  let rejected: Int
  let lines: Int

  var text: String {
    var lines = [
      "delivered  \(Plural.count(status.delivered, "event")) in \(Plural.count(status.requests, "request"))"
    ]
    if status.waiting > 0 {
      lines.append("queued     \(Plural.count(status.waiting, "event")), \(status.stored) of them on disk")
    }
    for (cause, count) in status.dropped.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      lines.append("dropped    \(Plural.count(count, "event")), \(cause.sentence(count))")
    }
    if rejected > 0 {
      lines.append(
        "rejected   "
          + (rejected == 1 ? "1 line that is not an event" : "\(rejected) lines that are not events"))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// The progress of a run on the terminal.
struct SendProgress {
  /// Lines that are not events.
  var rejected = 0
  /// Lines that were read.
  var lines = 0
  private let console: Console
  private var shown = ""

  init(console: Console) {
    self.console = console
  }

  mutating func show(_ status: ClientStatus) {
    guard let show = console.showProgress else { return }
    var text = "\(status.delivered) delivered, \(status.waiting) waiting"
    if let wait = status.retryIn, let answer = status.lastAnswer {
      text += "; \(answer), next attempt in \(Int((wait / .seconds(1)).rounded(.up))) s"
    }
    guard text != shown else { return }
    show("\r" + text + String(repeating: " ", count: max(0, shown.count - text.count)))
    shown = text
  }

  mutating func clear() {
    guard !shown.isEmpty else { return }
    console.showProgress?("\r" + String(repeating: " ", count: shown.count) + "\r")
    shown = ""
  }
}
