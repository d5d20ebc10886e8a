import DeliveryCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Commands

/// Runs of `send` over a folder, against an endpoint that answers as the test says.
final class SendRig {
  let folder: TemporaryFolder
  let endpoint = TestEndpoint()
  let errors = Recorder<String>()
  let output = Recorder<String>()
  let stop = WakeSignal()
  var request: SendCommand.Request

  init(_ lines: [String]) throws {
    folder = try TemporaryFolder()
    let file = try folder.write(lines.map { $0 + "\n" }.joined(), to: "events.jsonl")
    request = SendCommand.Request(
      host: "https://in.example.com", writeKey: "secret-key-1234", file: file, folder: folder.path("queue"))
  }

  static func events(_ numbers: Range<Int>) -> [String] {
    numbers.map { #"{"type":"track","event":"e\#($0)"}"# }
  }

  @discardableResult
  func run(input: Int32 = 0, isAlone: Bool = true, disk: (any EventStorage)? = nil) async -> ExitCode {
    var environment = DeliveryEnvironment.system
    if let disk { environment.openStorage = { _ in disk } }
    environment.transport = endpoint
    environment.clock = endpoint.clock
    environment.encodeBody = { [endpoint] body, _ in
      endpoint.clock.stop()
      return body
    }
    let console = Console(
      write: { [output] in output.append($0) }, writeError: { [errors] in errors.append($0) })
    let sender = Sender(request, console: console, stop: stop, environment: environment)
    let code = await sender.run(input: input)
    if isAlone { await untilQueueIsFree() }
    return code
  }

  /// A process lets go of its queue when it ends; here the client may outlive the run by a moment.
  private func untilQueueIsFree() async {
    while let descriptor = try? Posix.open(request.folder + "/disk-queue/queue.lock") {
      let isFree = (try? Posix.lock(descriptor, wait: .zero)) == true
      Posix.close(descriptor)
      if isFree { return }
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  func expectEvents(_ numbers: Range<Int>) {
    #expect(endpoint.taken.map(\.name) == numbers.map { "e\($0)" })
  }
}

/// A disk without room.
struct FullDisk: EventStorage {
  var count: Int { 0 }

  func takeDamage() -> StorageDamage { StorageDamage() }

  func append(_ events: [QueuedEvent]) throws(StorageFailure) {
    throw StorageFailure("No space left on device")
  }

  func prepend(_ events: [QueuedEvent]) throws(StorageFailure) { try append(events) }

  func first(_ limit: Int) throws(StorageFailure) -> [QueuedEvent] { [] }

  func removeFirst(_ count: Int) throws(StorageFailure) {}

  func removeAll() throws(StorageFailure) {}
}

/// Takes events, or answers with the statuses of a list first.
final class TestEndpoint: DeliveryTransport {
  private struct State {
    var answers: [Int] = []
    var always: Int?
    var taken: [(id: String, name: String)] = []
    var onPost: (@Sendable (Int) -> Void)?
    var posts = 0
  }

  let clock = FastClock()
  private let state = Locked(State())

  var taken: [(id: String, name: String)] { state.withLock { $0.taken } }
  var posts: Int { state.withLock { $0.posts } }

  func answer(_ statuses: Int...) { state.withLock { $0.answers += statuses } }
  func answer(always status: Int?) { state.withLock { $0.always = status } }
  func onPost(_ act: (@Sendable (Int) -> Void)?) { state.withLock { $0.onPost = act } }

  func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
    let body = (try? JSONSerialization.jsonObject(with: request.body)) as? [String: [[String: Any]]]
    let (status, act, number) = state.withLock { state in
      state.posts += 1
      let status = state.answers.isEmpty ? state.always ?? 200 : state.answers.removeFirst()
      if status == 200 {
        state.taken += (body?["batch"] ?? []).map {
          ($0["messageId"] as? String ?? "", $0["event"] as? String ?? "")
        }
      }
      return (status, state.onPost, state.posts)
    }
    act?(number)
    clock.resume()
    return DeliveryAnswer(status: status)
  }
}

/// Time that moves only in small steps while somebody sleeps, and stands still while a batch is on its way: no busy
/// machine makes an answer late or lets the time pass in which nothing is delivered.
final class FastClock: DeliveryClock {
  private struct State {
    var time = Duration.zero
    var stands = false
    var stops = 0
  }

  private static let step = Duration.milliseconds(250)
  private let state = Locked(State())

  var now: Duration { state.withLock(\.time) }
  var wallTime: Date { Date(timeIntervalSince1970: 1_790_000_000 + now / .seconds(1)) }

  func stop() {
    state.withLock { state in
      state.stands = true
      state.stops += 1
    }
  }

  /// A moment later, in which the client hears the answer, and unless it was stopped again.
  func resume() {
    let stops = state.withLock(\.stops)
    Task {
      try? await Task.sleep(for: .milliseconds(100))
      state.withLock { if $0.stops == stops { $0.stands = false } }
    }
  }

  func sleep(until deadline: Duration) async throws {
    while now < deadline {
      try await Task.sleep(for: .microseconds(500))
      state.withLock { state in
        guard !state.stands else { return }
        state.time += max(.zero, min(Self.step, deadline - state.time))
      }
    }
  }
}
