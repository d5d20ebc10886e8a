import Platform

/// Text on its way to standard output, which may block while a request to stop arrives.
struct OutputBuffer {
  /// Bytes that a writable pipe accepts without blocking.
  private static let piece = 4096

  var text = ""
  /// True if everything has been printed so far.
  private(set) var isWhole = true
  private let console: Console
  private let output: Int32?
  private let stop: WakeSignal

  /// - Parameter output: The console's descriptor, if a stop request must interrupt a wait for it.
  init(console: Console, output: Int32?, stop: WakeSignal) {
    self.console = console
    self.output = output
    self.stop = stop
  }

  /// Prints the text, line by line if necessary; drops the rest if a stop is requested while the output is blocked.
  mutating func flush() {
    defer { text = "" }
    guard isWhole, !text.isEmpty else { return }
    guard let output else { return console.write(text) }
    var rest = text[...]
    while !rest.isEmpty {
      guard stop.waits(untilWritable: output) else {
        isWhole = false
        return
      }
      let newline: UInt8 = 10
      let last = rest.utf8.prefix(Self.piece).lastIndex(of: newline) ?? rest.utf8.firstIndex(of: newline)
      let end = last.map { rest.utf8.index(after: $0) } ?? rest.endIndex
      console.write(String(rest[..<end]))
      rest = rest[end...]
    }
  }
}
