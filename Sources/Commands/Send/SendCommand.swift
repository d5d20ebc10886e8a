import Codecs
import DeliveryCore
import Dispatch
import Essentials
import Platform

/// `mistertop send --host URL [FILE | -]`: delivers events from JSON Lines through the event delivery client.
///
/// An interrupted run is continued by the next one with the same file, host and key: events that were read but not
/// delivered are on disk, and reading continues after them.
package struct SendCommand: Command {
  package static let name = "send"
  package static let operands = "[FILE | -]"
  package static let summary =
    "Delivers events, one JSON object a line, to an endpoint; continues where it was interrupted."
  package static let examples = [
    CommandExample(
      "mistertop send --host https://in.example.com events.jsonl",
      "deliver a file of events; the key is in $MISTERTOP_WRITE_KEY"),
    CommandExample(
      "tail -f events.jsonl | mistertop send --host https://in.example.com",
      "events from a pipe, as they arrive"),
  ]
  package static let options = [
    host, writeKey, writeKeyFile, queue, wait, fromStart, gzip, .store,
  ]

  private static let host = CommandOption("host", "URL", help: "where events go, without /v1/batch")
  private static let writeKey = CommandOption(
    "write-key", "KEY",
    help: "the key of the source; others can see it in the list of processes (default: $\(variable))")
  private static let writeKeyFile = CommandOption(
    "write-key-file", "FILE", help: "the file with the key in its first line")
  private static let queue = CommandOption(
    "queue", "FOLDER", help: "where events wait between runs (default: a folder of this file and host)")
  private static let wait = CommandOption(
    "wait", "SECONDS", help: "how long to try while no event is delivered (default: 120)")
  private static let fromStart = CommandOption("from-start", help: "send the whole file again")
  private static let gzip = CommandOption(
    "gzip", help: "compress what is posted; the endpoint has to allow it")
  private static let variable = "MISTERTOP_WRITE_KEY"

  package struct Request: Sendable, Equatable {
    package var host: String
    package var writeKey: String
    /// The file with the events; `nil` for standard input.
    package var file: String?
    /// The folder in which events wait between runs.
    package var folder: String
    /// Maximum seconds without any event delivered.
    package var wait = 120.0
    package var fromStart = false
    package var compresses = false
    /// The store for the client's records; `nil` for none.
    package var store: String?

    package init(host: String, writeKey: String, file: String?, folder: String) {
      (self.host, self.writeKey, self.file, self.folder) = (host, writeKey, file, folder)
    }
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    try arguments.rejectOperands(after: 1)
    guard let host = arguments.value(host) else { throw .missingOption("--host") }
    let operand = arguments.operands.first ?? "-"
    let file = operand == "-" ? nil : operand
    let key = try key(from: arguments)
    do { try InitOptions(writeKey: key, ingestionHost: host).validate() } catch {
      guard error.code == .blankWriteKey else {
        throw .invalidValue(host, for: "--host", expected: "an http or https URL with a host name")
      }
      throw .missingOption("--write-key, --write-key-file or $\(variable)")
    }
    let folder =
      try arguments.fileName(queue)
      ?? defaultFolder(file: file, host: host, key: key, in: arguments.environment.dataFolder)
    var request = Request(host: host, writeKey: key, file: file, folder: folder)
    request.wait =
      try arguments.value(wait, expecting: "a number of seconds above 0") {
        Double($0).flatMap { $0 > 0 && $0 < 1e9 ? $0 : nil }
      } ?? request.wait
    request.fromStart = arguments.has(fromStart)
    request.compresses = arguments.has(gzip)
    request.store = try arguments.fileName(.store)
    return request
  }

  private static func key(from arguments: Arguments) throws(UsageError) -> String {
    if let key = arguments.value(writeKey) {
      if arguments.has(writeKeyFile) { throw .conflict("--write-key", "--write-key-file") }
      return key
    }
    guard let path = try arguments.fileName(writeKeyFile) else {
      return firstLine(arguments.environment.variables[variable] ?? "")
    }
    guard let start = start(of: path), let text = String(validating: start, as: UTF8.self) else {
      throw .invalidValue(
        path, for: "--write-key-file", expected: "a file that can be read, with the key in its first line")
    }
    let key = firstLine(text)
    guard !key.isEmpty else {
      throw .invalidValue(path, for: "--write-key-file", expected: "a file with the key in its first line")
    }
    return key
  }

  /// The beginning of a file or pipe; `nil` if it cannot be read, or if nothing is written to it.
  private static func start(of path: String) -> [UInt8]? {
    guard let descriptor = try? Posix.open(path) else { return nil }
    defer { Posix.close(descriptor) }
    // The program behind `<(...)` may need a moment to start.
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, pipeTimeout) > 0 else { return nil }
    // Bounded, since a device has no end.
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = bytes.withUnsafeMutableBytes { try? Posix.read(descriptor, into: $0) }
    return count.map { Array(bytes[..<$0]) }
  }

  /// Milliseconds to wait for the first bytes of a pipe.
  private static let pipeTimeout: Int32 = 2_000

  /// Files and shells add a newline after a key.
  private static func firstLine(_ text: String) -> String {
    String(text.prefix { !$0.isNewline }).trimmed {
      $0.properties.isWhitespace || $0.properties.generalCategory == .control
        || $0.properties.generalCategory == .format
    }
  }

  /// One folder per file, host and key, so that queued events never go to another destination.
  private static func defaultFolder(file: String?, host: String, key: String, in data: String) -> String {
    let name = SendPosition.hash([file.map(Posix.place) ?? "-", host, key].joined(separator: "\n"))
    return data + "/mistertop/send/" + name
  }

  /// Blocks the main thread: if it were free to run other work, it would be one of those that take the signals.
  package static func run(_ request: Request, in context: CommandContext) -> ExitCode {
    let stop = WakeSignal()
    let signals = TerminationSignals(stop: stop)
    let code = Locked(ExitCode.failed)
    let end = DispatchSemaphore(value: 0)
    let sender = Sender(request, console: context.console, stop: stop)
    Task.detached {
      let result = await sender.run()
      code.withLock { $0 = result }
      end.signal()
    }
    end.wait()
    signals.dieOfSignal()
    return code.withLock { $0 }
  }
}
