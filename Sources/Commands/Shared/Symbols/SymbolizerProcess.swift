import DashboardCore
import Essentials
import Platform
import Symbolication
import TelemetryCore

/// A running `llvm-symbolizer`.
///
/// It ends with its input, and so with this program, however that ends.
final class SymbolizerProcess: AddressSymbolizer {
  /// Maximum time for one answer: the first one of a file with symbols waits until the file is read.
  private static let answerTimeout: Int32 = 120_000
  /// Maximum bytes of an answer.
  private static let answerLimit = 1 << 20
  /// Bytes of questions sent before their answers are read: fewer than any socket holds, so neither side can wait for
  /// the other.
  private static let questionLimit = 4_096

  private let path: String
  private let socket: Int32
  private let process: pid_t
  private var unread: [UInt8] = []

  /// Starts the program at a path.
  init(path: String) throws(SymbolizerFailure) {
    self.path = path
    guard let (own, other) = SocketPair.make() else {
      throw SymbolizerFailure("\(path): \(FileFailure.last.text)")
    }
    defer { Posix.close(other) }
    let process = ChildProgram.start(
      [path] + SymbolizerText.arguments,
      streams: [
        .descriptor(other, for: STDIN_FILENO), .descriptor(other, for: STDOUT_FILENO),
        .file("/dev/null", for: STDERR_FILENO),
      ],
      // Symbols are looked for in the named folders only, never on servers.
      isShielded: true, variables: [("DEBUGINFOD_URLS", "")])
    guard let process else {
      Posix.close(own)
      throw SymbolizerFailure("\(path): cannot be started")
    }
    (socket, self.process) = (own, process)
  }

  deinit {
    Posix.close(socket)
    // It might not notice the end of its input while it is busy.
    kill(process, SIGKILL)
    ChildProgram.wait(for: process)
  }

  func symbols(
    at addresses: [UInt64], in module: ModuleFile
  ) throws(SymbolizerFailure) -> [[RecordedCallStacks.Symbol]] {
    var result: [[RecordedCallStacks.Symbol]] = []
    var rest = addresses[...]
    while !rest.isEmpty {
      var questions: [UInt8] = []
      var count = 0
      for address in rest {
        guard let question = SymbolizerText.question(address, in: module) else {
          throw SymbolizerFailure(
            "\(module.path): its name is too long, or has characters that llvm-symbolizer cannot read",
            isOfModule: true)
        }
        guard count == 0 || questions.count + question.count <= Self.questionLimit else { break }
        questions += question
        count += 1
      }
      rest = rest.dropFirst(count)
      try send(questions)
      // All answers are read before one is refused, or later ones would be taken for those of other questions.
      var refusal: SymbolizerFailure?
      for _ in 0..<count {
        do throws(SymbolizerFailure) {
          result.append(try symbols(in: try answer(), of: module))
        } catch {
          guard error.isOfModule else { throw error }
          refusal = error
        }
      }
      if let refusal { throw refusal }
    }
    return result
  }

  private func symbols(
    in answer: [UInt8], of module: ModuleFile
  ) throws(SymbolizerFailure) -> [RecordedCallStacks.Symbol] {
    do throws(SymbolizerText.Failure) {
      return try SymbolizerText.symbols(in: answer)
    } catch .refused(let words) {
      throw SymbolizerFailure("\(module.path): \(words)", isOfModule: true)
    } catch {
      throw SymbolizerFailure("\(path): is not llvm-symbolizer 13 or later")
    }
  }

  private func send(_ bytes: [UInt8]) throws(SymbolizerFailure) {
    var done = 0
    while done < bytes.count {
      let sent = bytes[done...].withUnsafeBytes { SocketPair.send($0, to: socket) }
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { throw ended }
      done += sent
    }
  }

  private func answer() throws(SymbolizerFailure) -> [UInt8] {
    while true {
      if let end = unread.firstIndex(of: 0x0A) {
        let answer = Array(unread[..<end])
        unread.removeSubrange(...end)
        return answer
      }
      guard unread.count <= Self.answerLimit else {
        throw SymbolizerFailure("\(path): its answer has no end")
      }
      var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let count = poll(&ready, 1, Self.answerTimeout)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SymbolizerFailure("\(path): has not answered for two minutes") }
      var piece = [UInt8](repeating: 0, count: 64 << 10)
      let read = piece.withUnsafeMutableBytes { try? Posix.read(socket, into: $0) } ?? 0
      guard read > 0 else { throw ended }
      unread += piece[..<read]
    }
  }

  private var ended: SymbolizerFailure { SymbolizerFailure("\(path): ended before it had answered") }
}
