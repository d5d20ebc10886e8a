package import TerminalUI

/// A strict terminal emulator: shows what an xterm with 256 colors would, and records unknown bytes as violations.
///
/// It knows only what ncurses sends for `xterm-256color` and what the program itself sends. Colors are parsed and
/// ignored. Anything that could come only from data (a title, a query to the terminal, a character that is invisible or
/// changes the direction) is a violation.
package struct EmulatedScreen: Sendable {
  /// The state that a program leaves in a terminal besides the screen's contents.
  package struct Modes: Equatable, Sendable {
    package var isAlternate = false
    package var isCursorShown = true
    /// The numbers of the private modes that are on: mouse, bracketed paste, synchronized output.
    package var privateModes: Set<Int> = []
    package var isWrapping = true
    /// The scrolling region, if it is not the whole screen.
    package var scrolling: ClosedRange<Int>?
    /// The number of saved titles that were not restored.
    package var titlesKept = 0
  }

  /// One screen: its characters, row by row.
  struct Page: Sendable {
    /// The character of each cell; 0 for the right half of a wide one.
    var cells: [UInt32]
    /// The combining marks of each cell.
    var marks: [Int: [UInt32]] = [:]

    init(count: Int) { cells = Array(repeating: 0x20, count: count) }
  }

  /// The state of the parser.
  package enum ParserState: Sendable {
    case ground
    case escape
    case designation
    case control
    case string
    case stringEscape
  }

  package private(set) var size: Size
  package internal(set) var modes = Modes()
  /// Sequences that are unknown or forbidden; at most a hundred are kept.
  package private(set) var violations: [String] = []
  package private(set) var violationCount = 0
  /// The texts copied to the clipboard, in order.
  package internal(set) var clipboard: [String] = []
  /// The number of bytes processed.
  package internal(set) var count = 0
  /// Replies to the query for the cursor's position that were not taken yet.
  package internal(set) var answers: [UInt8] = []
  /// The columns of a line, a bar or a dot: two on some terminals for Chinese, Japanese and Korean.
  package var signWidth = 1
  /// True if the program has asked for the cursor's position since it entered the screen.
  var hasAskedPosition = false

  var page: Page
  var other: Page
  var (x, y) = (0, 0)
  var saved = (x: 0, y: 0)
  /// True if the last column is written, so that the next character starts the next row.
  var isWrapDue = false
  var lastSign: UInt32 = 0x20
  package internal(set) var state = ParserState.ground
  var sequence: [UInt8] = []
  /// The character being received, and the number of bytes still missing.
  var pending: (value: UInt32, missing: Int, length: Int) = (0, 0, 0)

  package init(size: Size) {
    // Widths come from the C library, which supports only ASCII in the initial locale of a process.
    TextLocale.adoptUTF8()
    self.size = size
    page = Page(count: size.width * size.height)
    other = page
  }

  /// True if nothing is left of the state that a full-screen program sets.
  package var isAsAtStart: Bool { modes == Modes() && state == .ground }

  package var cursor: Position { Position(x: x, y: y) }

  /// The rows of the screen as text, including trailing blanks.
  package var rows: [String] { (0..<size.height).map(row) }

  package func row(_ y: Int) -> String {
    var text = ""
    for x in 0..<size.width {
      let index = y * size.width + x
      guard let scalar = Unicode.Scalar(page.cells[index]), scalar.value != 0 else { continue }
      text.unicodeScalars.append(scalar)
      for mark in page.marks[index] ?? [] {
        if let scalar = Unicode.Scalar(mark) { text.unicodeScalars.append(scalar) }
      }
    }
    return text
  }

  /// True if any row contains the text.
  package func contains(_ text: String) -> Bool { rows.contains { $0.contains(text) } }

  /// The character of one cell; `nil` for the right half of a wide one.
  package func sign(_ x: Int, _ y: Int) -> Unicode.Scalar? {
    let value = page.cells[y * size.width + x]
    return value == 0 ? nil : Unicode.Scalar(value)
  }

  /// The number of combining marks in a cell.
  package func markCount(_ x: Int, _ y: Int) -> Int { page.marks[y * size.width + x]?.count ?? 0 }

  /// Resizes the screen, cutting off what no longer fits.
  package mutating func resize(to new: Size) {
    let old = size
    let resized = { (page: Page) -> Page in
      var result = Page(count: new.width * new.height)
      for y in 0..<min(old.height, new.height) {
        for x in 0..<min(old.width, new.width) {
          result.cells[y * new.width + x] = page.cells[y * old.width + x]
          result.marks[y * new.width + x] = page.marks[y * old.width + x]
        }
      }
      return result
    }
    (page, other, size) = (resized(page), resized(other), new)
    (x, y, isWrapDue) = (min(x, new.width - 1), min(y, new.height - 1), false)
    modes.scrolling = nil
  }

  /// Removes the replies.
  package mutating func takeAnswers() -> [UInt8] {
    defer { answers = [] }
    return answers
  }

  mutating func violate(_ what: String) {
    violationCount += 1
    if violations.count < 100 { violations.append(what) }
  }

  /// Forgets matching copies made so far.
  package mutating func forgetCopies(where isKnown: (String) -> Bool) { clipboard.removeAll(where: isKnown) }

  /// Forgets matching violations recorded so far.
  package mutating func forgetViolations(where isKnown: (String) -> Bool = { _ in true }) {
    violations.removeAll(where: isKnown)
    violationCount = violations.count
  }
}
