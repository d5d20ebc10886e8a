import Foundation
import Platform
import TestDelivery
import TestSupport
import Testing

@testable import DeliveryCore

@Suite("The disk queue")
struct DiskQueueTests {
  private let folder: TemporaryFolder
  private let small = Segment.Limits(events: 4, bytes: 1 << 20)

  init() throws {
    folder = try TemporaryFolder()
  }

  private var path: String { folder.path("data/metarouter/disk-queue") }

  private func open(_ limits: Segment.Limits = Segment.Limits()) throws -> SegmentedEventStorage {
    try SegmentedEventStorage(folder: path, limits: limits)
  }

  private func names() throws -> [String] { try Posix.names(in: path).sorted() }

  private func segments() throws -> [String] { try names().filter { $0.hasPrefix("queue.v1.") } }

  @Test("B-95: What is appended comes back in its order, and an empty append writes nothing")
  func order() throws {
    let storage = try open()
    try storage.append([])
    try storage.prepend([])
    #expect(try segments().isEmpty)
    #expect(try storage.first(10).isEmpty)
    let events = EventSamples.events(0..<7)
    try storage.append(events)
    #expect(storage.count == 7)
    #expect(try storage.first(10) == events)
    #expect(try storage.first(3) == Array(events[..<3]))
    #expect(try storage.first(0).isEmpty && storage.first(-1).isEmpty)
    #expect(storage.takeDamage().isEmpty)
  }

  @Test("B-96: A second append does not lose what the first one stored")
  func twice() throws {
    let storage = try open()
    try storage.append(EventSamples.events(0..<3))
    try storage.append(EventSamples.events(3..<5))
    #expect(try storage.first(10).map(\.number) == [0, 1, 2, 3, 4])
    #expect(try segments().count == 1)
  }

  @Test("B-97: The oldest are dropped by removing them, read or not")
  func dropping() throws {
    let storage = try open(small)
    try storage.append(EventSamples.events(0..<30))
    _ = try storage.first(2)
    try storage.removeFirst(17)
    #expect(storage.count == 13)
    #expect(try storage.first(100).map(\.number) == Array(17..<30))
    try storage.removeFirst(-1)
    try storage.removeFirst(0)
    #expect(storage.count == 13)
    try storage.removeFirst(1000)
    #expect(storage.count == 0)
  }

  @Test("B-99: After a restart the stored events are there in their old order, removed ones are not")
  func restart() throws {
    for removed in [0, 1, 4, 5, 11, 12] {
      do {
        let storage = try open(small)
        try storage.append(EventSamples.events(0..<12))
        try storage.removeFirst(removed)
      }
      let storage = try open(small)
      #expect(storage.count == 12 - removed)
      #expect(try storage.first(100).map(\.number) == Array(removed..<12))
      try storage.append(EventSamples.events(12..<13))
      #expect(try storage.first(100).map(\.number) == Array(removed..<13))
      try storage.removeAll()
    }
  }

  @Test("B-103: What is put before the oldest comes first, over restarts too, and leaves no temporary file")
  func prepending() throws {
    do {
      let storage = try open(small)
      try storage.prepend(EventSamples.events(50..<53))
      try storage.append(EventSamples.events(53..<60))
      try storage.removeFirst(2)
      #expect(try storage.first(2).map(\.number) == [52, 53])
      try storage.prepend(EventSamples.events(40..<52))
      #expect(try storage.first(3).map(\.number) == [40, 41, 42])
      try storage.prepend(EventSamples.events(39..<40))
      #expect(storage.count == 21)
    }
    let storage = try open(small)
    #expect(try storage.first(100).map(\.number) == Array(39..<60))
    #expect(storage.takeDamage().isEmpty)
    try storage.removeFirst(1)
    #expect(try storage.first(1).map(\.number) == [40])
    #expect(try names().allSatisfy { $0.hasPrefix("queue.v1.") || $0 == "queue.lock" })
  }

  @Test("B-105: Clearing removes every file")
  func clearing() throws {
    do {
      let storage = try open(small)
      try storage.append(EventSamples.events(0..<30))
      _ = try storage.first(7)
      _ = try folder.write("damaged", to: "data/metarouter/disk-queue/queue.v1.0000000000000000.damaged")
      try storage.removeAll()
      #expect(storage.count == 0)
      #expect(try storage.first(3).isEmpty)
      #expect(try names() == ["queue.lock"])
      try storage.append(EventSamples.events(90..<92))
      #expect(try storage.first(3).map(\.number) == [90, 91])
    }
    #expect(try open().first(3).map(\.number) == [90, 91])
  }

  @Test("A queue that was emptied leaves no segment, and a closed one no file at all")
  func empty() throws {
    do {
      let storage = try open(small)
      for round in 0..<3 {
        try storage.append(EventSamples.events(0..<9))
        try storage.removeFirst(round * 2)
        try storage.removeFirst(9)
        #expect(try names() == ["queue.lock"])
      }
    }
    #expect(try names().isEmpty)
  }

  @Test("B-113: What was removed is not there again when the rest is put back")
  func puttingBack() throws {
    let storage = try open(small)
    try storage.append(EventSamples.events(0..<10))
    let batch = try storage.first(6)
    try storage.removeFirst(6)
    try storage.prepend(Array(batch[4...]))
    #expect(try storage.first(100).map(\.number) == Array(4..<10))
  }

  @Test("Files are the owner's alone, folders that are made too")
  func permissions() throws {
    let storage = try open(small)
    try storage.append(EventSamples.events(0..<3))
    try storage.prepend(EventSamples.events(0..<9))
    for name in try names() {
      #expect(Posix.status(at: path + "/" + name).map(\.permissions) == 0o600, "\(name)")
    }
    for made in ["data", "data/metarouter", "data/metarouter/disk-queue"] {
      #expect(Posix.status(at: folder.path(made)).map(\.permissions) == 0o700, "\(made)")
    }
  }

  @Test("B-104: The folder is excluded from backup where the platform has that notion")
  func backup() throws {
    _ = try open()
    #if canImport(Darwin)
      let values = try URL(fileURLWithPath: path).resourceValues(forKeys: [.isExcludedFromBackupKey])
      #expect(values.isExcludedFromBackup == true)
    #else
      #expect(try names().isEmpty)
    #endif
  }

  @Test("A second storage of the folder is refused with a reason, and gets it when the first is gone")
  func owner() throws {
    do {
      let storage = try open()
      try storage.append(EventSamples.events(0..<1))
      let failure = #expect(throws: StorageFailure.self) { try open() }
      #expect(failure?.message == "another process, or another client, uses the disk queue in \(path)")
      #expect(storage.count == 1)
    }
    #expect(try open().count == 1)
  }

  @Test("Segments are bounded in events and in bytes, whatever is appended")
  func bounds() throws {
    let storage = try open(Segment.Limits(events: 100, bytes: 4000))
    try storage.append(EventSamples.events(0..<3, padding: 5000))
    #expect(try segments().count == 3)
    for number in 3..<40 { try storage.append(EventSamples.events(number..<number + 1, padding: 150)) }
    for name in try segments().dropFirst(3) {
      #expect((Posix.status(at: path + "/" + name)?.size ?? 0) <= 4000)
    }
    #expect(try storage.first(100).map(\.number) == Array(0..<40))
    let many = try open(limitsOf: 100)
    try many.append(EventSamples.events(0..<250))
    #expect(try Posix.names(in: folder.path("many")).filter { $0.hasPrefix("queue.v1") }.count == 3)
  }

  private func open(limitsOf events: Int) throws -> SegmentedEventStorage {
    try SegmentedEventStorage(
      folder: folder.path("many"), limits: Segment.Limits(events: events, bytes: 1 << 20))
  }

  @Test("Events of any content come back as they were")
  func contents() throws {
    let events =
      ["", "\u{0}", "ü€😀", "a\"\\\n"].map {
        QueuedEvent(messageID: $0, timestamp: $0 + "t", json: Array("{\"a\":\"\($0)\"}".utf8))
      } + [
        QueuedEvent(
          messageID: "big", timestamp: "",
          json: Array(repeating: UInt8(ascii: "{"), count: 1) + Array(repeating: 255, count: 3 << 20) + [
            UInt8(ascii: "}")
          ])
      ]
    do { try open().append(events) }
    #expect(try open().first(10) == events)
  }

  @Test("An event that no reader would take is refused, and nothing of its batch is stored")
  func tooLarge() throws {
    let storage = try open()
    let huge = QueuedEvent(
      messageID: "1", timestamp: "",
      json: [UInt8](repeating: UInt8(ascii: "{"), count: EventRecord.maximalSize))
    #expect(throws: StorageFailure.self) { try storage.append(EventSamples.events(0..<2) + [huge]) }
    #expect(storage.count == 0)
    #expect(try segments().isEmpty)
  }

  @Test("Ten thousand events cost ten files, and a batch reads one of them")
  func manyEvents() throws {
    let storage = try open()
    for start in stride(from: 0, to: 10_000, by: 500) {
      try storage.append(EventSamples.events(start..<start + 500, padding: 200))
    }
    #expect(try segments().count == 10)
    var next = 0
    while storage.count > 0 {
      let batch = try storage.first(100)
      #expect(batch.map(\.number) == Array(next..<next + 100))
      try storage.removeFirst(100)
      next += 100
    }
    #expect(next == 10_000)
  }
}
