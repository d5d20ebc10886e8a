internal import CNcurses
internal import CTerminalGuard
internal import Essentials
package import TerminalUI

/// The terminal through ncurses: the only place that writes to it.
///
/// ncurses is used for output only. Keys are read from the descriptor and decoded by `KeyDecoder`, and
/// `CTerminalGuard`, never ncurses, restores the terminal, so that return, exit, signal and crash take the same path.
/// It belongs to the thread that opened it.
package final class NcursesTerminal: TerminalBackend {
  /// The caller's options.
  package struct Options: Sendable {
    package var isMouseOn: Bool
    package var environment: [String: String]

    package init(isMouseOn: Bool = true, environment: [String: String]) {
      self.isMouseOn = isMouseOn
      self.environment = environment
    }
  }

  /// The version of ncurses, such as `6.4.20221231`.
  package static var libraryVersion: String {
    String(cString: curses_version()).filter { $0.isNumber || $0 == "." }
  }

  package private(set) var size: Size
  package let capabilities: Capabilities
  package var descriptors: [Int32] { isOpen ? [input, wake] : [] }

  let input: Int32
  private let output: Int32
  /// Descriptor that becomes readable after a resize or a stop.
  let wake: Int32
  private let kind: TerminalKind
  private let sequences: TerminalSequences
  private var pairs: ColorPairs
  private var shown: Buffer
  private var isCursorShown = false
  private var mustForget = true
  private var isOpen = true
  private var isMouseOn: Bool
  var decoder: KeyDecoder
  var isHungUp = false
  /// The answers to queries sent since keys were last read.
  var askedAnswers: Set<TerminalAnswer> = []
  /// True if the signal handlers wait for answers.
  var isAnnounced = false
  /// The time of the last read on the caller's clock, and on ours.
  var lastRead: (time: Double, instant: ContinuousClock.Instant)?

  /// Takes over the terminal: standard output, and the keyboard from standard input or `/dev/tty`.
  ///
  /// Changes nothing if it throws. The locale is taken from the environment, as widths and output require.
  ///
  /// - Parameter note: Takes a sentence for the user while the terminal is still the shell's.
  package static func open(
    _ options: Options, note: (String) -> Void = { _ in }
  ) throws(TerminalError) -> NcursesTerminal {
    guard terminal_guard_is_open() == 0 else { throw .alreadyOpen }
    let isUTF8 = TextLocale.adoptEnvironment()
    guard isatty(STDOUT_FILENO) == 1 else { throw .outputIsNoTerminal }
    let kind = try TerminalKind(environment: options.environment, isUTF8: isUTF8)
    let terminal = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : Glue.openKeyboard()
    guard terminal >= 0 else { throw .noKeyboard }
    let input = terminal_guard_keyboard(terminal)
    guard input >= 0 else { throw .refused(code: errno) }
    return try NcursesTerminal(kind: kind, input: input, output: STDOUT_FILENO, options: options, note: note)
  }

  private init(
    kind: TerminalKind, input: Int32, output: Int32, options: Options, note: (String) -> Void
  ) throws(TerminalError) {
    guard terminal_guard_save(input, output) == 0 else { throw .refused(code: errno) }
    let colors = try Glue.start(kind, output: output, input: input, note: note)
    self.kind = kind
    self.input = input
    self.output = output
    capabilities = kind.capabilities(colors: colors, isDirect: shim_colors() > 256)
    sequences = TerminalSequences(knowsPrivateModes: kind.knowsPrivateModes)
    pairs = ColorPairs(depth: capabilities.deepest, indexed: colors, limit: shim_pairs())
    decoder = KeyDecoder(extra: TerminalSequences.keys())
    isMouseOn = options.isMouseOn
    size = Glue.size(output)
    shown = Buffer(size: size)
    resizeterm(Int32(size.height), Int32(size.width))
    wake = terminal_guard_open(sequences.firstEnter(mouse: isMouseOn), sequences.firstLeave)
    guard wake >= 0 else {
      let code = errno
      endwin()
      throw .refused(code: code)
    }
    // ncurses enters the alternate screen with its first output, so this happens now rather than at the first frame;
    // leaving it later then matches.
    terminal_guard_hold(1)
    terminal_guard_set_leave(sequences.leave)
    curs_set(0)
    shim_refresh()
    terminal_guard_hold(0)
    terminal_guard_set_enter(sequences.enter(mouse: isMouseOn))
  }

  deinit { terminal_guard_close() }

  package func present(_ buffer: Buffer, cursor: Position?) {
    guard isOpen, !isHungUp else { return }
    // While another job has the terminal there is nothing to draw on, and afterwards the frame is lost.
    guard terminal_guard_is_ours() != 0 else { return forget() }
    _ = terminal_guard_draw(1)
    show(buffer, cursor: cursor)
    // A stop interrupted drawing.
    if terminal_guard_draw(0) != 0 { forget() }
  }

  private func show(_ buffer: Buffer, cursor: Position?) {
    if mustForget { forgetShown() }
    if buffer.size != shown.size {
      shim_erase()
      shown = Buffer(size: buffer.size)
    }
    let isLarge = draw(buffer) && kind.knowsPrivateModes
    let inside = cursor.flatMap { Rect(size: size).contains($0) ? $0 : nil }
    if let inside { shim_place(Int32(inside.y), Int32(inside.x)) }
    if isLarge { send("\u{1B}[?2026h") }
    shim_refresh()
    if isLarge { send("\u{1B}[?2026l") }
    if isCursorShown != (inside != nil) {
      isCursorShown.toggle()
      curs_set(isCursorShown ? 1 : 0)
    }
  }

  /// Draws the differences from the current screen.
  ///
  /// - Returns: True if there are more than arrive at once anyway.
  private func draw(_ buffer: Buffer) -> Bool {
    var runs = buffer.diff(from: shown)
    for run in runs { draw(run, of: buffer) }
    if pairs.recycle() {
      forgetShown()
      runs = buffer.diff(from: shown)
      for run in runs { draw(run, of: buffer) }
    }
    pairs.endFrame()
    shown = buffer
    return runs.count > 4
  }

  private func forgetShown() {
    mustForget = false
    shim_erase()
    shim_forget()
    shown = Buffer(size: size)
    // Taking back the terminal hid the cursor without ncurses knowing.
    curs_set(0)
    isCursorShown = false
  }

  private func draw(_ run: CellRun, of buffer: Buffer) {
    let columns = run.columns(within: size)
    guard !columns.isEmpty else { return }
    let repertoire = capabilities.repertoire
    // Adjacent cells usually have the same style, so it is only looked up when it changes.
    var style = buffer[run.x, run.y].style
    var attributes = Glue.attributes(style)
    var pair = pairs.pair(style)
    for x in columns {
      let cell = buffer[x, run.y]
      if cell.isContinuation { continue }
      // Half of a wide cell at the edge of a screen that has just shrunk.
      let isCut = cell.width == 2 && x + 1 >= size.width
      let (base, first, second) = isCut ? (32, 0, 0) : cell.scalars(in: repertoire)
      if cell.style != style {
        style = cell.style
        attributes = Glue.attributes(style)
        pair = pairs.pair(style)
      }
      _ = shim_put(Int32(run.y), Int32(x), base, first, second, attributes, pair)
    }
  }

  private func send(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        guard let start = bytes.baseAddress else { return }
        _ = terminal_guard_write(start, bytes.count)
      }
    }
  }

  package func perform(_ command: TerminalCommand) {
    guard isOpen else { return }
    switch command {
    case .suspend:
      awaitAnswers()
      kill(0, SIGTSTP)
    case .lend:
      awaitAnswers()
      terminal_guard_lend(1)
    case .takeBack: takeBack()
    case .close: close()
    case .redraw: mustForget = true
    case .mouse(let isOn): setMouse(isOn)
    case .ask(let questions): ask(questions)
    case .bell: send("\u{07}")
    case .copy(let text): copy(text)
    case .line: break
    }
  }

  private func close() {
    awaitAnswers()
    isOpen = false
    terminal_guard_close()
  }

  private func takeBack() {
    terminal_guard_lend(0)
    // The other program may have seen a resize.
    _ = adoptSize()
    mustForget = true
  }

  private func setMouse(_ isOn: Bool) {
    guard isOn != isMouseOn, kind.knowsPrivateModes else { return }
    isMouseOn = isOn
    terminal_guard_set_enter(sequences.enter(mouse: isOn))
    send(isOn ? TerminalSequences.mouseOn : TerminalSequences.mouseOff)
  }

  /// Sends queries in one piece; terminals ignore those that they do not support.
  private func ask(_ questions: TerminalQuestions) {
    // In the background, the shell would get the answers.
    guard kind.knowsPrivateModes, terminal_guard_is_ours() != 0 else { return }
    let asked = TerminalQueries(
      questions, kind: kind, capabilities: capabilities, hasRoom: WidthReply.fits(size))
    guard !asked.text.isEmpty else { return }
    askedAnswers.formUnion(asked.answers)
    announceAnswers(within: KeyDecoder.answerTime)
    send(asked.text)
  }

  /// Copies text with OSC 52; terminals drop text that is too long for them, so long texts are not sent at all.
  private func copy(_ text: String) {
    guard kind.knowsPrivateModes, text.utf8.count <= 74_000 else { return }
    send("\u{1B}]52;c;" + Data(text.utf8).base64EncodedString() + "\u{1B}\\")
  }

  /// Reads the size again; true if it changed.
  func adoptSize() -> Bool {
    let now = Glue.size(output)
    guard now != size else { return false }
    size = now
    resizeterm(Int32(now.height), Int32(now.width))
    mustForget = true
    return true
  }

  /// Marks the screen contents as lost.
  func forget() { mustForget = true }
}
