import Essentials
import Platform

/// Another program that unpacks what it is given, such as `xz`.
///
/// It is started directly, without a shell, reads and writes only its standard streams, and is killed with this object.
final class UnpackingProgram {
  private static let pieceSize = 64 << 10
  /// Maximum bytes kept of its messages.
  private static let messageLimit = 200

  private let name: String
  private let process: pid_t
  /// Its standard input; -1 once closed.
  private var input: Int32
  private let output: Int32
  private let messages: Int32
  private var piece = [UInt8](repeating: 0, count: pieceSize)
  /// Part of `piece` that the program has not taken yet.
  private var unsent = 0..<0
  private var isReaped = false

  /// Starts the program; `nil` if it is not installed or cannot be started.
  init?(_ words: [String]) {
    guard let name = words.first, let path = ChildProgram.path(of: name) else { return nil }
    let pairs = (0..<3).map { _ in SocketPair.make() }
    defer { for pair in pairs { if let pair { Posix.close(pair.other) } } }
    guard let input = pairs[0], let output = pairs[1], let messages = pairs[2],
      let process = ChildProgram.start(
        [path] + words.dropFirst(),
        streams: [
          .descriptor(input.other, for: STDIN_FILENO), .descriptor(output.other, for: STDOUT_FILENO),
          .descriptor(messages.other, for: STDERR_FILENO),
        ], isShielded: true)
    else {
      for pair in pairs { if let pair { Posix.close(pair.own) } }
      return nil
    }
    (self.name, self.process) = (name, process)
    (self.input, self.output, self.messages) = (input.own, output.own, messages.own)
    for descriptor in [input.own, messages.own] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  deinit {
    closeInput()
    Posix.close(output)
    Posix.close(messages)
    guard !isReaped else { return }
    kill(process, SIGKILL)
    ChildProgram.wait(for: process)
  }

  private func closeInput() {
    guard input >= 0 else { return }
    Posix.close(input)
    input = -1
  }

  /// Reads the next unpacked bytes; returns their number, 0 at the end.
  ///
  /// - Parameter source: Reads packed bytes; returns 0 at their end.
  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    from source: (UnsafeMutableRawBufferPointer) throws(FileFailure) -> Int
  ) throws(FileFailure) -> Int {
    while true {
      if input >= 0, unsent.isEmpty, !isReady(output, POLLIN, within: 0) { try fill(from: source) }
      var requests = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: unsent.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
      ]
      // With nothing left to send, only the program can go on.
      _ = poll(&requests, 2, unsent.isEmpty && input >= 0 ? 0 : -1)
      if requests[1].revents != 0 { send() }
      if requests[0].revents != 0 { return try Posix.read(output, into: buffer) }
    }
  }

  private func fill(
    from source: (UnsafeMutableRawBufferPointer) throws(FileFailure) -> Int
  ) throws(FileFailure) {
    var failure: FileFailure?
    let count = piece.withUnsafeMutableBytes { bytes in
      do throws(FileFailure) { return try source(bytes) } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    unsent = 0..<count
    if count == 0 { closeInput() }
  }

  private func send() {
    let sent = piece.withUnsafeBytes {
      SocketPair.send(UnsafeRawBufferPointer(rebasing: $0[unsent]), to: input)
    }
    if sent > 0 {
      unsent = unsent.lowerBound + sent..<unsent.upperBound
    } else if errno != EAGAIN, errno != EINTR {
      // It has stopped reading, and its ending says why.
      unsent = 0..<0
      closeInput()
    }
  }

  private func isReady(_ descriptor: Int32, _ events: Int32, within milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }

  /// The problem that ended the program, in its own words; `nil` if it unpacked everything.
  func problem() -> String? {
    closeInput()
    let code = ChildProgram.wait(for: process)
    isReaped = true
    guard code != 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Self.messageLimit)
    let count = bytes.withUnsafeMutableBytes { (try? Posix.read(messages, into: $0)) ?? 0 }
    let text = String(decoding: bytes[..<count], as: UTF8.self).prefix { $0 != "\n" }
    if !text.isEmpty { return String(text) }
    return code.map { "\(name) ended with code \($0)" } ?? "\(name) was ended by a signal"
  }
}
