import Essentials
import TerminalUI

/// A terminal that is written and read only line by line.
///
/// Each line arrives whole, as pasted text; the end of the input is a request to quit.
final class LinearTerminal: TerminalBackend {
  /// Maximum bytes of a line, more than anyone types; the rest is dropped.
  private static let lineLimit = 4096

  /// Large enough that no list is shortened for lack of space.
  let size = Size(width: 200, height: 60)
  /// Empty at the end of the input, which would otherwise stay readable forever.
  var descriptors: [Int32] { isAtEnd ? [] : [STDIN_FILENO] }
  private let write: (String) -> Void
  private var pending: [UInt8] = []
  private var isAtEnd = false

  init(write: @escaping (String) -> Void) { self.write = write }

  /// Draws nothing: everything is reported as lines of text.
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

  /// True if a read would not block; the loop polls for other reasons, too.
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
      // Names and values come from files: control sequences in them must not reach the terminal.
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        write(SafeText.sanitized(String(line)) + "\n")
      }
    // The user asked for the bell.
    case .bell: write("\u{7}")
    case .suspend, .close, .lend, .takeBack, .redraw, .mouse, .ask: break
    }
  }
}
