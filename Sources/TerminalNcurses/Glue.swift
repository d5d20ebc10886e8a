internal import CNcurses
internal import Essentials
internal import TerminalUI

/// Small helper calls around ncurses.
enum Glue {
  /// Starts ncurses on the terminal, with 24-bit colors if its terminfo entry allows them.
  ///
  /// - Parameter note: Takes the sentence about an entry of another name.
  /// - Returns: The number of colors in the terminfo entry.
  static func start(
    _ kind: TerminalKind, output: Int32, input: Int32, note: (String) -> Void
  ) throws(TerminalError) -> Int {
    // With an absurd size from the environment or the kernel, ncurses would fail to create a screen. With a tiny one it
    // would size its output buffer accordingly, and so write before the guard exists.
    let size = size(output)
    setenv("LINES", "\(max(24, size.height))", 1)
    setenv("COLUMNS", "\(max(80, size.width))", 1)
    defer { for variable in ["LINES", "COLUMNS"] { unsetenv(variable) } }
    let name = try entryName(kind, output: output)
    if name != kind.name { note(kind.note(using: name)) }
    let entry = TerminfoEntry(ofTerminal: name)
    let direct = entry.addingDirectColor()?.compiled
    let isStarted =
      direct.map { start(name, $0, output: output, input: input) } ?? false
      || shim_newterm(name, output, input) != nil
    guard isStarted else { throw reason(against: kind) }
    start_color()
    use_default_colors()
    shim_prepare()
    return entry.colors
  }

  /// Sets up the first of the terminal's entries that the terminfo database has, or else ours if it fits.
  ///
  /// - Returns: Its name.
  private static func entryName(_ kind: TerminalKind, output: Int32) throws(TerminalError) -> String {
    for name in kind.entryNames {
      let answer = shim_is_usable(name, output)
      if answer > 0 { return name }
      guard answer < 0 else { throw .typeTooPoor(kind.name) }
    }
    // Small containers have no database at all.
    let own = TerminfoEntry.xterm
    guard hasDescriptors, kind.knowsPrivateModes, let bytes = own.compiled,
      withEntry(bytes, { shim_is_usable(own.name, output) > 0 })
    else { throw reason(against: kind) }
    return own.name
  }

  /// Starts ncurses with an entry in place of the one in the database.
  private static func start(_ name: String, _ entry: [UInt8], output: Int32, input: Int32) -> Bool {
    withEntry(entry) { shim_newterm(name, output, input) != nil }
  }

  /// Runs `body` with an entry that is passed in `TERMINFO` itself, in place of a path.
  ///
  /// Versions before 6.1 do not support such values and search their usual places.
  private static func withEntry(_ entry: [UInt8], _ body: () -> Bool) -> Bool {
    let before = getenv("TERMINFO").map { String(cString: $0) }
    // Child programs get the variable unchanged.
    defer {
      if let before { setenv("TERMINFO", before, 1) } else { unsetenv("TERMINFO") }
    }
    setenv("TERMINFO", "b64:" + Data(entry).base64EncodedString(), 1)
    return body()
  }

  /// The reason that ncurses does not report: the database lacks the terminal, or its files could not be opened.
  private static func reason(against kind: TerminalKind) -> TerminalError {
    hasDescriptors ? .typeUnknown(kind.name) : .refused(code: EMFILE)
  }

  /// False if no file can be opened, and so no database either.
  private static var hasDescriptors: Bool {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  /// Opens the user's keyboard when standard input is a pipe.
  static func openKeyboard() -> Int32 {
    let descriptor = Int32(openat(AT_FDCWD, "/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY))
    return descriptor >= 0 && isatty(descriptor) == 1 ? descriptor : -1
  }

  /// The size reported by the kernel, clamped to a plausible maximum; 80 by 24 if unknown.
  ///
  /// ncurses uses 16-bit sizes and crashes beyond them.
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

extension TerminfoEntry {
  /// Extensions that change what ncurses does.
  private static let extraFlags = ["AX", "XT", "NQ"]

  /// Reads everything that ncurses knows about the terminal that was set up last.
  init(ofTerminal name: String) {
    self.init(name: name, order: .ofNcurses)
    flags = Set((order.flags + Self.extraFlags).filter { tigetflag($0) > 0 })
    for name in order.numbers {
      let value = tigetnum(name)
      if value >= 0 { numbers[name] = value }
    }
    for name in order.strings {
      // Bytes, because not all of them are UTF-8.
      if let value = shim_string(name) {
        strings[name] = Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
      }
    }
  }
}

extension TerminfoEntry.Order {
  /// The order that ncurses was built with.
  static var ofNcurses: Self {
    Self(
      flags: names(shim_flag_names()), numbers: names(shim_number_names()),
      strings: names(shim_string_names()))
  }

  private static func names(_ list: UnsafePointer<UnsafePointer<CChar>?>?) -> [String] {
    var names: [String] = []
    while let name = list?[names.count] { names.append(String(cString: name)) }
    return names
  }
}
