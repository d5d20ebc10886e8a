internal import CNcurses
internal import Essentials
internal import TerminalUI

/// The small calls around ncurses.
enum Glue {
  /// Starts ncurses on the terminal; with 24-bit colours where both terminal and database have them.
  static func start(_ kind: TerminalKind, output: Int32, input: Int32) throws(TerminalError) {
    // From an absurd size, of the variables or of the kernel, ncurses would try to make a screen, and fail. By a tiny one it
    // would size its buffer of output, and so write before the guard is there.
    let size = size(output)
    setenv("LINES", "\(max(24, size.height))", 1)
    setenv("COLUMNS", "\(max(80, size.width))", 1)
    defer { for variable in ["LINES", "COLUMNS"] { unsetenv(variable) } }
    let answer = shim_is_usable(kind.name, output)
    guard answer >= 0 else { throw reason(against: kind) }
    guard answer > 0 else { throw .typeTooPoor(kind.name) }
    let isStarted =
      kind.directName.map { shim_newterm($0, output, input) != nil } ?? false
      || shim_newterm(kind.name, output, input) != nil
    guard isStarted else { throw reason(against: kind) }
    start_color()
    use_default_colors()
    shim_prepare()
  }

  /// What ncurses does not tell: whether the database lacks the terminal, or no file of it could be opened.
  private static func reason(against kind: TerminalKind) -> TerminalError {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return .refused(code: errno) }
    close(descriptor)
    return .typeUnknown(kind.name)
  }

  /// The keyboard of the person when standard input is a pipe.
  static func openKeyboard() -> Int32 {
    let descriptor = Int32(openat(AT_FDCWD, "/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY))
    return descriptor >= 0 && isatty(descriptor) == 1 ? descriptor : -1
  }

  /// The size that the kernel knows, as far as anybody could see it; 80 by 24 where it knows none.
  ///
  /// ncurses counts in 16 bits and crashes beyond them.
  static func size(_ descriptor: Int32) -> Size {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
      return Size(width: 80, height: 24)
    }
    return Size(width: min(Int(window.ws_col), 2_000), height: min(Int(window.ws_row), 1_000))
  }

  static func attributes(_ style: Style) -> attr_t {
    let attributes = style.attributes
    guard !attributes.isEmpty else { return 0 }
    var result: attr_t = 0
    if attributes.contains(.bold) { result |= shim_bold() }
    if attributes.contains(.dim) { result |= shim_dim() }
    if attributes.contains(.italic) { result |= shim_italic() }
    if attributes.contains(.underline) { result |= shim_underline() }
    if attributes.contains(.reverse) { result |= shim_reverse() }
    return result
  }
}
