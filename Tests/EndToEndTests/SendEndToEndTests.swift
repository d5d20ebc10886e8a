import Foundation
import Platform
import TestSupport
import Testing

@Suite("send against a server")
struct SendEndToEndTests {
  /// Takes events, unless a fault is due.
  private final class Endpoint: Sendable {
    struct Taken: Sendable {
      let id: String
      let name: String
    }

    private struct State {
      var taken: [Taken] = []
      var posts = 0

      mutating func take(_ body: [UInt8]) {
        let batch = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: [[String: Any]]]
        taken += (batch?["batch"] ?? []).map {
          Taken(id: $0["messageId"] as? String ?? "", name: $0["event"] as? String ?? "")
        }
      }
    }

    private let state: Locked<State>
    private let server: HostileServer

    /// - Parameter fault: The status instead of 200 for a post, counted from 1; 0 closes the connection.
    init(fault: @escaping @Sendable (Int) -> Int?) throws {
      let state = Locked(State())
      self.state = state
      server = try HostileServer { connection in
        while let request = connection.readRequest() {
          let number = state.withLock { state in
            state.posts += 1
            return state.posts
          }
          let status = fault(number) ?? 200
          guard status > 0 else { return }
          if status == 200 { state.withLock { $0.take(request.body) } }
          connection.send("HTTP/1.1 \(status) Told\r\nContent-Length: 0\r\n\r\n")
        }
      }
    }

    var url: String { "http://127.0.0.1:\(server.port)" }
    var taken: [Taken] { state.withLock { $0.taken } }
    var posts: Int { state.withLock { $0.posts } }
  }

  private let folder: TemporaryFolder
  private let events: String

  init() throws {
    folder = try TemporaryFolder()
    let lines = (0..<2500).map { #"{"type":"track","event":"e\#($0)","properties":{"n":\#($0)}}"# + "\n" }
    events = try folder.write(lines.joined(), to: "events.jsonl")
  }

  private var environment: [String: String] {
    ["XDG_DATA_HOME": folder.path("data"), "MISTERTOP_WRITE_KEY": "secret-key-1234", "LC_ALL": "C.UTF-8"]
  }

  @Test("Killed again and again while the server misbehaves, it leaves no gap and no disorder")
  func killed() throws {
    // A refused batch waits for a second, so faults are few here.
    let endpoint = try Endpoint { [9: 503, 30: 0][$0] }
    for posts in [3, 8, 14, 21] {
      let child = try ChildProcess(
        Shell.program, ["send", "--host", endpoint.url, events], environment: environment,
        output: folder.path("log"))
      while child.isRunning, endpoint.posts < posts { usleep(500) }
      child.kill()
    }
    let (status, output) = try Shell.run(
      Shell.program, ["send", "--host", endpoint.url, events], environment: environment)
    #expect(status == 0)
    #expect(output.contains("delivered "))
    var known: Set<String> = []
    let first = endpoint.taken.filter { known.insert($0.id).inserted }
    #expect(first.map(\.name) == (0..<2500).map { "e\($0)" })
    let log = try String(contentsOfFile: folder.path("log"), encoding: .utf8)
    #expect(!(log + output).contains("secret-key"))
  }

  @Test("Ended by a signal it says what is queued, and the next run delivers it")
  func terminated() throws {
    let endpoint = try Endpoint { $0 == 5 ? 503 : nil }
    let child = try ChildProcess(
      Shell.program, ["send", "--host", endpoint.url, events], environment: environment,
      output: folder.path("log"))
    while child.isRunning, endpoint.posts < 5 { usleep(500) }
    child.send(SIGTERM)
    #expect(child.wait() == .killed(SIGTERM))
    let log = try String(contentsOfFile: folder.path("log"), encoding: .utf8)
    #expect(log.contains(" of them on disk"))
    let (status, output) = try Shell.run(
      Shell.program, ["send", "--host", endpoint.url, events], environment: environment)
    #expect(status == 0)
    #expect(output.contains("where the last run ended"))
    #expect(endpoint.taken.map(\.name) == (0..<2500).map { "e\($0)" })
  }

  @Test("Started without standard input it says so, and reads nothing of its own")
  func closedInput() throws {
    let endpoint = try Endpoint { _ in nil }
    let script = "exec '\(try Shell.program)' send --host \(endpoint.url) <&-"
    let (status, output) = try Shell.run("/bin/sh", ["-c", script], environment: environment)
    #expect(status == 1)
    #expect(output.contains("cannot read the file: Bad file descriptor"))
  }

  @Test("From a pipe it delivers what comes, and says what was refused")
  func pipe() throws {
    let endpoint = try Endpoint { _ in nil }
    let (status, output) = try Shell.run(
      Shell.program, ["send", "--host", endpoint.url], environment: environment,
      input: #"{"event":"a"}"# + "\nnot JSON\n" + #"{"type":"screen","name":"b"}"# + "\n")
    #expect(status == 1)
    #expect(output.contains("line 2: not a JSON object"))
    #expect(output.contains("delivered  2 events in 1 request"))
    #expect(endpoint.taken.count == 2)
  }
}
