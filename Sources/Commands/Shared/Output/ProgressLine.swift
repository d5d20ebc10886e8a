import Platform

/// A progress line for long operations, updated a few times a second.
struct ProgressLine {
  /// Seconds between two updates.
  private static let pace = 0.2

  private let show: (@Sendable (String) -> Void)?
  private let total: Double?
  private let now: () -> MonotonicInstant
  private let start: MonotonicInstant
  private var done = 0.0
  private var lastShown: MonotonicInstant
  private var width = 0

  /// - Parameters:
  ///   - show: Writes text to the terminal unchanged; `nil` without a terminal.
  ///   - total: The number of bytes, if known.
  init(
    show: (@Sendable (String) -> Void)?, total: Double?,
    now: @escaping () -> MonotonicInstant = { .now() }
  ) {
    self.show = show
    self.total = total
    self.now = now
    start = now()
    lastShown = start
  }

  mutating func advance(by bytes: Double) {
    done += bytes
    guard let show else { return }
    let time = now()
    guard time >= lastShown + Self.pace else { return }
    lastShown = time
    let text = text(after: time - start)
    // Spaces overwrite the rest of a longer line.
    show("\r" + text + String(repeating: " ", count: max(0, width - text.count)))
    width = text.count
  }

  /// Erases the line.
  mutating func clear() {
    if width > 0 { show?("\r" + String(repeating: " ", count: width) + "\r") }
    width = 0
  }

  private func text(after seconds: Double) -> String {
    let rate = seconds > 0 ? done / seconds : 0
    let speed = "\(Self.megabytes(rate)) MB/s"
    guard let total, total > 0 else { return "\(Self.megabytes(done)) MB, \(speed)" }
    let share = Int(min(1, done / total) * 100)
    let left = rate > 0 ? max(0, total - done) / rate : 0
    return "\(share) % of \(Self.megabytes(total)) MB, \(speed), \(Int(min(left, 1e6).rounded(.up))) s left"
  }

  private static func megabytes(_ bytes: Double) -> Int { Int(min(bytes / 1e6, 1e12).rounded()) }
}
