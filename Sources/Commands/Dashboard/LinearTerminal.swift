import Essentials
import TerminalUI

/// A terminal that is only written to in lines and only read in lines.
///
/// Lines come as pasted text, each whole; the end of the input is a wish to leave.
final class LinearTerminal: TerminalBackend {
  /// A line longer than this is cut: no one types so much.
  private static let lineLimit = 4096

  /// No lists are cut for want of room.
  let size = Size(width: 200, height: 60)
  /// An input that has ended stays readable forever.
  var descriptors: [Int32] { isAtEnd ? [] : [STDIN_FILENO] }
  private let write: (String) -> Void
  private var pending: [UInt8] = []
  private var isAtEnd = false

  init(write: @escaping (String) -> Void) { self.write = write }

  /// Nothing is drawn: what is to be known is said.
  func present(_ buffer: Buffer, cursor: Position?) {}

  func readEvents(now: Double) -> TerminalInput {
    guard !isAtEnd, isReadable else { return TerminalInput() }
    var bytes = [UInt8](repeating: 0, count: Self.lineLimit)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else {
      isAtEnd = count == 0 || errno != EINTR
      return TerminalInput(events: isAtEnd ? lines(isLast: true) + [.paste("Q")] : [])
    }
    pending += bytes.prefix(count)
    return TerminalInput(events: lines(isLast: false))
  }

  /// True if reading does not wait: the loop also asks for other reasons.
  private var isReadable: Bool {
    var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  private func lines(isLast: Bool) -> [InputEvent] {
    var parts = pending.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    pending = isLast ? [] : Array((parts.popLast() ?? []).prefix(Self.lineLimit))
    if isLast, parts.last?.isEmpty ?? false { parts.removeLast() }
    return parts.map { .paste(SafeText.sanitized(String(decoding: $0, as: UTF8.self))) }
  }

  func perform(_ command: TerminalCommand) {
    switch command {
    case .line(let text): write(text + "\n")
    case .copy(let text):
      // Names and values of files: none of their lines may command the terminal.
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        write(SafeText.sanitized(String(line)) + "\n")
      }
    // The person asked for the bell.
    case .bell: write("\u{7}")
    case .suspend, .close, .lend, .takeBack, .redraw, .mouse, .askBackground, .askColors: break
    }
  }
}
