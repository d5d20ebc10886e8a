import DeliveryCore
import Foundation
import TestDelivery
import TestSupport

/// A folder with a disk queue, the table and the endpoint of its clients, and the processes that use them.
final class DeliveryBench {
  let folder: TemporaryFolder
  let name: String
  let table: AckTable

  init(in folder: TemporaryFolder? = nil, name: String = "client") throws {
    self.folder = try folder ?? TemporaryFolder()
    self.name = name
    table = try AckTable(path: self.folder.path(name))
  }

  /// Starts a worker.
  ///
  /// - Parameters:
  ///   - options: Words of the form `key=value`.
  ///   - wrapper: A program, with its arguments, that starts the worker.
  ///   - copy: The worker, where it is not the one that was built.
  func start(_ options: String..., wrapper: [String] = [], by copy: String? = nil) throws -> ChildProcess {
    table.isReady = false
    let worker = try copy ?? ChildProcess.program("delivery-worker")
    let words = wrapper + [worker, folder.url.path, name] + options
    return try ChildProcess(words[0], Array(words.dropFirst()), output: folder.path("output"))
  }

  /// The workers' messages.
  var output: String { (try? String(contentsOfFile: folder.path("output"), encoding: .utf8)) ?? "" }

  /// Waits until something holds or the process has ended, but not for ever.
  func wait(for process: ChildProcess, until condition: () -> Bool) {
    let deadline = ContinuousClock.now + .seconds(30)
    while !condition(), process.isRunning, ContinuousClock.now < deadline { usleep(200) }
  }

  /// Lets a client that has come after the dead deliver what they have left, to an endpoint that takes everything.
  func deliverRest(into tally: inout MatrixRun.Tally) throws {
    let (path, endpoint) = (
      folder.path("queue"), EndpointFile(path: folder.path("\(name).endpoint"), seed: nil)
    )
    let client = DrivenClient(
      seed: 1, storage: { () throws(StorageFailure) in try QueueFiles.open(path, events: 20) },
      answer: endpoint.take, wasAnswered: endpoint.wasAnswered)
    let isDrained = client.drain()
    // A write cut short by the kill costs the event it was about to acknowledge, and the client says so.
    let isTold = client.reports.allSatisfy { $0.code == .damaged } && client.droppedCount <= 1
    tally.bad += isDrained && isTold ? 0 : 1
  }

  /// Adds up what became of the events that were on disk, once all of them were to be delivered.
  func check(into tally: inout MatrixRun.Tally) -> EndpointRecord.Verdict {
    let record = EndpointRecord(path: folder.path("\(name).endpoint"))
    let settled = record.settled
    for number in 0..<table.offered where table.fate(of: number) == .acknowledged {
      tally.expected += 1
      if settled.contains(number) { tally.got += 1 } else { tally.lost += 1 }
    }
    let verdict = record.verdict
    tally.duplicated += verdict.repeated
    tally.bad += verdict.disordered
    return verdict
  }
}
