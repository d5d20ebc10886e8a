import DeliveryCore
import Foundation
import Platform
import TestDelivery
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Q4: no room for events and no one to take them, then both.
extension FaultMatrix {
  /// Events of one long outage, as many as the specification names.
  private static let longOutage = 1_000_000

  @Test
  func
    `Q4: with the disk full and the endpoint down each event is kept or counted, and what is kept is sent`()
    async throws
  {
    try await Self.row("Q4") { run in
      let system = try MountedFileSystem(.memory(bytes: 256 << 10))
      while run.goesOn() {
        let isReal = run.done % 2 == 0
        let offered = run.pace.isLong && run.done == 1 ? Self.longOutage : 1000
        try FullQueue(system: isReal ? system : nil, seed: run.seed, offered: offered).run(into: &run.tally)
      }
      let most = run.pace.isLong ? ", once \(Self.longOutage)" : ""
      run.note =
        "1000 events a round\(most), \(system == nil ? "a full disk by error alone" : "on a full tmpfs too")"
    }
  }
}

/// A client on a disk that soon is full, without an endpoint.
private final class FullQueue {
  private let offered: Int
  private let system: MountedFileSystem?
  private let seed: UInt64
  private let folder: TemporaryFolder
  private let endpoint: EndpointFile
  private let room: Locked<Int>
  private let isUp = Locked(false)
  private let path: String

  /// - Parameter system: A file system that can be filled; without one the calls fail.
  init(system: MountedFileSystem?, seed: UInt64, offered: Int) throws {
    (self.system, self.seed, self.offered) = (system, seed, offered)
    folder = try TemporaryFolder()
    endpoint = EndpointFile(path: folder.path("endpoint"), seed: nil)
    room = Locked(system == nil ? Int(seed % 200_000) : .max)
    path = system?.path("queue") ?? folder.path("queue")
  }

  func run(into tally: inout MatrixRun.Tally) throws {
    var random = SeededGenerator(seed: seed)
    system?.fill(sparing: Int.random(in: 10_000...150_000, using: &random))
    let (path, operations) = (path, operations)
    let client = DrivenClient(
      seed: seed, maxDiskEvents: [100, 1000].randomElement(using: &random) ?? 100,
      storage: { () throws(StorageFailure) in
        try QueueFiles.open(path, events: 100, operations: operations)
      }, answer: answer, wasAnswered: endpoint.wasAnswered)
    for number in 0..<offered {
      client.track(number, padding: Int.random(in: 0...200, using: &random))
      switch random.next() % 64 {
      case 0: client.handle(.enterBackground(nil))
      case 1...3: client.handle(.enterForeground)
      case 4...9: client.step()
      default: break
      }
      let known = client.core.deliveredCount + client.droppedCount + client.core.waiting
      tally.bad += known == number + 1 ? 0 : 1
    }
    // The disk was full, and that was said.
    tally.bad += client.reports.contains { $0.code == .storage } ? 0 : 1
    system?.free()
    room.withLock { $0 = .max }
    isUp.withLock { $0 = true }
    tally.bad += client.drain() ? 0 : 1
    check(client, into: &tally)
  }

  private func answer(_ body: Data) -> Result<DeliveryAnswer, TransportFailure> {
    isUp.withLock { $0 } ? endpoint.take(body) : .failure(TransportFailure(.unreachable, "refused"))
  }

  private func check(_ client: DrivenClient, into tally: inout MatrixRun.Tally) {
    let record = EndpointRecord(path: folder.path("endpoint"))
    let delivered = record.settled.count
    tally.expected += offered
    tally.got += delivered + client.droppedCount
    tally.lost += max(0, offered - delivered - client.droppedCount)
    tally.duplicated += record.verdict.repeated
    tally.bad += record.verdict.disordered + (delivered == client.core.deliveredCount ? 0 : 1)
  }

  /// Calls that take no more bytes than there is room for.
  private var operations: FileOperations {
    var operations = QueueFiles.quick
    let room = room
    operations.write = { descriptor, bytes in
      let taken = room.withLock { room in
        defer { room -= min(room, bytes.count) }
        return min(room, bytes.count)
      }
      guard taken > 0 else {
        errno = ENOSPC
        return -1
      }
      return FileOperations.system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
    }
    return operations
  }
}
