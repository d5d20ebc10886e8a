package import TerminalUI

/// A strict terminal: shows what an xterm with 256 colours would, and takes down every byte that it does not know.
///
/// It knows what ncurses sends for `xterm-256color` and what the program sends by itself, and nothing else. Colours are
/// read and forgotten. Whatever could come from data alone (a title, a question to the terminal, a sign that is
/// invisible or changes the direction) is a violation.
package struct EmulatedScreen: Sendable {
  /// A program's traces in a terminal besides the picture.
  package struct Modes: Equatable, Sendable {
    package var isAlternate = false
    package var isCursorShown = true
    /// The numbers of the private modes that are on: mouse, pasting in brackets, synchronized output.
    package var privateModes: Set<Int> = []
    package var isWrapping = true
    /// The rows that scroll, where that is not all of them.
    package var scrolling: ClosedRange<Int>?
    /// How often the title was put away and not taken back.
    package var titlesKept = 0
  }

  /// One screen: its signs, row by row.
  struct Page: Sendable {
    /// The sign of each cell; 0 for the right half of a wide one.
    var cells: [UInt32]
    /// The marks above and below the sign of a cell.
    var marks: [Int: [UInt32]] = [:]

    init(count: Int) { cells = Array(repeating: 0x20, count: count) }
  }

  /// Where the parser is.
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
  /// Sequences that were not understood or must not be sent; at most a hundred are kept.
  package private(set) var violations: [String] = []
  package private(set) var violationCount = 0
  /// The text on the clipboard, as it was sent.
  package internal(set) var clipboard: [String] = []
  /// Bytes taken so far.
  package internal(set) var count = 0

  var page: Page
  var other: Page
  var (x, y) = (0, 0)
  var saved = (x: 0, y: 0)
  /// The last column is written, and the next sign begins the next row.
  var isWrapDue = false
  var lastSign: UInt32 = 0x20
  package internal(set) var state = ParserState.ground
  var sequence: [UInt8] = []
  /// The sign whose bytes are coming in, and how many are missing.
  var pending: (value: UInt32, missing: Int, length: Int) = (0, 0, 0)

  package init(size: Size) {
    // Widths are those of the C library, which knows only ASCII in the locale that a process starts in.
    TextLocale.adoptUTF8()
    self.size = size
    page = Page(count: size.width * size.height)
    other = page
  }

  /// True if nothing is left of what a full-screen program sets.
  package var isAsAtStart: Bool { modes == Modes() && state == .ground }

  package var cursor: Position { Position(x: x, y: y) }

  /// The rows of the screen as text, with all blanks.
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

  /// True if some row holds the text.
  package func contains(_ text: String) -> Bool { rows.contains { $0.contains(text) } }

  /// The sign of one cell; `nil` for the right half of a wide one.
  package func sign(_ x: Int, _ y: Int) -> Unicode.Scalar? {
    let value = page.cells[y * size.width + x]
    return value == 0 ? nil : Unicode.Scalar(value)
  }

  /// How many marks stand above and below the sign of a cell.
  package func markCount(_ x: Int, _ y: Int) -> Int { page.marks[y * size.width + x]?.count ?? 0 }

  /// Gives the screen another size: what no longer fits is gone.
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

  mutating func violate(_ what: String) {
    violationCount += 1
    if violations.count < 100 { violations.append(what) }
  }

  /// Forgets some of what was put on the clipboard so far.
  package mutating func forgetCopies(where isKnown: (String) -> Bool) { clipboard.removeAll(where: isKnown) }

  /// Forgets some of the violations so far.
  package mutating func forgetViolations(where isKnown: (String) -> Bool = { _ in true }) {
    violations.removeAll(where: isKnown)
    violationCount = violations.count
  }
}
