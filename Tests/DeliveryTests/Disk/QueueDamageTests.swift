import Foundation
import Platform
import TestDelivery
import TestSupport
import Testing

@testable import DeliveryCore

@Suite("A disk queue that is not whole")
struct QueueDamageTests {
  private let folder: TemporaryFolder
  private let files: QueueFiles

  init() throws {
    folder = try TemporaryFolder()
    files = QueueFiles(folder.path("queue"))
  }

  private func open() throws -> SegmentedEventStorage { try QueueFiles.open(files.folder) }

  /// A queue of eleven events in three segments; the first `removed` are removed.
  private func makeThree(removed: Int = 0) throws -> [String] {
    let storage = try open()
    try storage.append(EventSamples.events(0..<11))
    try storage.removeFirst(removed)
    return files.segments
  }

  private func numbers(_ storage: SegmentedEventStorage) throws -> [Int] {
    try storage.first(100).map(\.number)
  }

  /// Replaces all files by one.
  private func leave(_ bytes: some Sequence<UInt8>, as path: String) throws {
    files.all.forEach(Posix.unlink)
    try files.write(Array(bytes), to: path)
  }

  @Test("Cut at any byte, a queue has exactly the events before the cut, and goes on")
  func cuts() throws {
    do { try open().append(EventSamples.events(0..<3)) }
    let path = try #require(files.segments.first)
    let bytes = files.bytes(path)
    let ends = try (0..<3).map { try #require(files.place(of: $0, in: bytes)).upperBound }
    for cut in 0...bytes.count {
      try leave(bytes.prefix(cut), as: path)
      let intact = ends.count { $0 <= cut }
      do {
        let storage = try open()
        #expect(storage.count == intact, "cut at \(cut)")
        #expect(try numbers(storage) == Array(0..<intact))
        let damage = storage.takeDamage()
        // Of a segment without any event it is known that there was one; a cut between two events leaves no trace.
        #expect(damage.events == (intact == 0 || !ends.contains(cut) ? 1 : 0), "cut at \(cut)")
        #expect(damage.files == (intact == 0 ? [PathParts(path).name + ".damaged"] : []))
        try storage.append(EventSamples.events(5..<6))
      }
      #expect(try numbers(open()) == Array(0..<intact) + [5], "cut at \(cut)")
    }
  }

  @Test("B-102: With any bit changed, a queue has all other events, and counts the one")
  func flips() throws {
    do {
      let storage = try open()
      try storage.append(EventSamples.events(0..<4))
      try storage.removeFirst(1)
    }
    let path = try #require(files.segments.first)
    let bytes = files.bytes(path)
    var starts = try (0..<4).map { try #require(files.place(of: $0, in: bytes)).lowerBound }
    // Behind the JSON of an event comes the next record.
    starts = [QueueFiles.headerSize] + (0..<3).compactMap { files.place(of: $0, in: bytes)?.upperBound }
    for place in bytes.indices {
      for bit in UInt8(0)..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << bit
        try leave(damaged, as: path)
        let storage = try open()
        let found = try numbers(storage)
        let damage = storage.takeDamage()
        if place < QueueFiles.versionSize {
          #expect(found.isEmpty && damage.events == 3 && damage.files.count == 1, "bit \(bit) of \(place)")
        } else if place < QueueFiles.headerSize {
          // A checkpoint that cannot be read makes the one before it count.
          #expect(found.suffix(3) == [1, 2, 3] && damage.isEmpty, "bit \(bit) of \(place)")
        } else {
          let event = starts.lastIndex { $0 <= place }
          #expect(found == [1, 2, 3].filter { $0 != event }, "bit \(bit) of \(place)")
          #expect(damage == StorageDamage(events: event == 0 ? 0 : 1), "bit \(bit) of \(place)")
        }
      }
    }
  }

  @Test("B-101: A segment without a valid header is set aside, counted, and kept as it is")
  func header() throws {
    for content in [[], [0], Array("mistertop-disk-queue 2\n".utf8) + [UInt8](repeating: 0, count: 200)] {
      let paths = try makeThree()
      try files.write(content, to: paths[1])
      do {
        let storage = try open()
        #expect(storage.takeDamage() == StorageDamage(files: [PathParts(paths[1]).name + ".damaged"]))
        #expect(storage.count == 7)
        #expect(try numbers(storage) == [0, 1, 2, 3, 8, 9, 10])
        // They are missing between their neighbours.
        #expect(storage.takeDamage() == StorageDamage(events: 4))
        #expect(files.bytes(paths[1] + ".damaged") == content)
      }
      #expect(try open().takeDamage().files == [])
      files.all.forEach(Posix.unlink)
    }
  }

  @Test("A segment of a version to come is set aside, whatever its name")
  func version() throws {
    let paths = try makeThree()
    try files.write([1, 2, 3], to: PathParts.join(files.folder, "queue.v2.0000000000000000"))
    try files.write([1, 2, 3], to: PathParts.join(files.folder, "notes"))
    let storage = try open()
    #expect(storage.takeDamage() == StorageDamage(files: ["queue.v2.0000000000000000.damaged"]))
    #expect(try numbers(storage) == Array(0..<11))
    #expect(files.segments == paths)
    #expect(files.bytes(PathParts.join(files.folder, "notes")) == [1, 2, 3])
  }

  @Test("Each file that is set aside gets a name of its own")
  func names() throws {
    for number in 1...3 {
      let path = try makeThree()[0]
      try files.write([UInt8(number)], to: path)
      try open().removeFirst(100)
      #expect(files.bytes(path + (number == 1 ? ".damaged" : ".damaged-\(number)")) == [UInt8(number)])
    }
  }

  @Test("A segment that is gone costs its events alone, and they are counted between others")
  func deleted() throws {
    for (index, left) in [Array(4..<11), [0, 1, 2, 3, 8, 9, 10], Array(0..<8)].enumerated() {
      let paths = try makeThree()
      Posix.unlink(paths[index])
      let storage = try open()
      #expect(try numbers(storage) == left)
      #expect(storage.takeDamage() == StorageDamage(events: index == 1 ? 4 : 0))
      try storage.append(EventSamples.events(50..<51))
      #expect(try numbers(storage) == left + [50])
      try storage.removeAll()
    }
  }

  @Test("Segments that changed their names are read in their order, and go on")
  func swapped() throws {
    let paths = try makeThree(removed: 2)
    let bytes = paths.map(files.bytes)
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      files.all.forEach(Posix.unlink)
      for (place, index) in order.enumerated() { try files.write(bytes[index], to: paths[place]) }
      do {
        let storage = try open()
        #expect(try numbers(storage) == Array(2..<11))
        try storage.append(EventSamples.events(11..<20))
        try storage.removeFirst(5)
      }
      let storage = try open()
      #expect(try numbers(storage) == Array(7..<20))
      #expect(storage.takeDamage().isEmpty)
    }
  }

  @Test("A segment in the middle that was cut loses what was cut off, counted")
  func cutInside() throws {
    let paths = try makeThree()
    let bytes = files.bytes(paths[1])
    for cut in QueueFiles.headerSize...bytes.count {
      try files.write(Array(bytes.prefix(cut)), to: paths[1])
      let storage = try open()
      let intact = (4..<8).filter { (files.place(of: $0, in: bytes)?.upperBound ?? .max) <= cut }
      #expect(try numbers(storage) == Array(0..<4) + intact + Array(8..<11), "cut at \(cut)")
      let damage = storage.takeDamage()
      #expect(damage.events == 4 - intact.count, "cut at \(cut)")
      if files.segments.count < 3 { try files.write(bytes, to: paths[1]) }
    }
  }

  @Test("A cut behind removed events is counted too")
  func cutBehindRemoved() throws {
    do {
      let storage = try open()
      try storage.append(EventSamples.events(0..<3))
      try storage.removeFirst(2)
    }
    let path = try #require(files.segments.first)
    try files.write(Array(files.bytes(path).dropLast()), to: path)
    let storage = try open()
    #expect(storage.count == 0)
    #expect(storage.takeDamage() == StorageDamage(events: 1))
  }

  @Test("Zeros over records cost these records alone, each counted")
  func zeros() throws {
    do { try QueueFiles.open(files.folder, events: 100).append(EventSamples.events(0..<40)) }
    let path = try #require(files.segments.first)
    let bytes = files.bytes(path)
    for start in stride(from: 512, to: bytes.count - 512, by: 512) {
      var damaged = bytes
      damaged.replaceSubrange(start..<start + 512, with: [UInt8](repeating: 0, count: 512))
      try leave(damaged, as: path)
      let storage = try open()
      let found = try numbers(storage)
      let hit = (0..<40).filter {
        let end = files.place(of: $0, in: bytes)?.upperBound ?? 0
        let begin = $0 == 0 ? QueueFiles.headerSize : files.place(of: $0 - 1, in: bytes)?.upperBound ?? 0
        return begin < start + 512 && end > start
      }
      #expect(found == (0..<40).filter { !hit.contains($0) })
      #expect(storage.takeDamage() == StorageDamage(events: hit.count))
    }
  }

  @Test("Zeros and garbage at the end are cut off")
  func tail() throws {
    do { try open().append(EventSamples.events(0..<3)) }
    let path = try #require(files.segments.first)
    let bytes = files.bytes(path)
    for count in [1, 11, 12, 13, 4096, 200_000] {
      try leave(bytes + [UInt8](repeating: 0, count: count), as: path)
      do {
        let storage = try open()
        #expect(storage.count == 3)
        #expect(storage.takeDamage().isEmpty)
      }
      #expect(files.bytes(path) == bytes)
      try leave(bytes + [UInt8](repeating: 7, count: count), as: path)
      do {
        let storage = try open()
        #expect(storage.count == 3)
        #expect(storage.takeDamage().events <= 1)
        try storage.append(EventSamples.events(3..<4))
      }
      #expect(try numbers(open()) == [0, 1, 2, 3])
    }
  }

  @Test("Records whose content is right and yet no event are skipped and counted")
  func noEvents() throws {
    do { try open().append(EventSamples.events(0..<1)) }
    let path = try #require(files.segments.first)
    let bytes = files.bytes(path)
    for json in ["", "{", "}", "[]", "null", "{\"a\":1}x"] {
      let bad = QueuedEvent(messageID: "m", timestamp: "t", json: Array(json.utf8))
      let good = try EventRecord.bytes(of: EventSamples.event(2), number: 2)
      try leave(bytes + EventRecord.bytes(of: bad, number: 1) + good, as: path)
      let storage = try open()
      #expect(try numbers(storage) == [0, 2])
      #expect(storage.takeDamage() == StorageDamage(events: 1))
      try storage.removeFirst(2)
      #expect(files.segments.isEmpty)
    }
  }

  @Test("Removing counts the events that are read, over damaged ones")
  func removing() throws {
    let paths = try makeThree()
    for (path, number) in [(paths[0], 3), (paths[1], 4), (paths[1], 6), (paths[2], 10)] {
      var bytes = files.bytes(path)
      bytes[try #require(files.place(of: number, in: bytes)).lowerBound + 3] ^= 1
      try files.write(bytes, to: path)
    }
    do {
      let storage = try open()
      #expect(storage.count == 7)
      #expect(storage.takeDamage() == StorageDamage(events: 1))
      try storage.removeFirst(4)
      #expect(try numbers(storage) == [7, 8, 9])
      #expect(storage.takeDamage() == StorageDamage(events: 3))
      #expect(files.segments == Array(paths[1...]))
    }
    #expect(try numbers(open()) == [7, 8, 9])
  }

  @Test("What is damaged while the queue is open is skipped and counted too")
  func whileOpen() throws {
    let storage = try open()
    try storage.append(EventSamples.events(0..<20))
    #expect(try storage.first(6).count == 6)
    for number in [1, 5, 9] {
      let path = try #require(files.segment(of: number))
      var bytes = files.bytes(path)
      bytes[try #require(files.place(of: number, in: bytes)).lowerBound] ^= 4
      try files.write(bytes, to: path)
    }
    Posix.unlink(try #require(files.segment(of: 13)))
    let left = [0, 2, 3, 4, 6, 7, 8, 10, 11, 16, 17, 18, 19]
    #expect(try numbers(storage) == left)
    #expect(storage.count == left.count)
    #expect(storage.takeDamage().events == 7)
    try storage.removeFirst(5)
    #expect(try numbers(storage) == Array(left[5...]))
    try files.write([], to: try #require(files.segment(of: 7)))
    #expect(try numbers(storage) == Array(left[6...]))
    #expect(storage.takeDamage() == StorageDamage(events: 1))
    files.segments.forEach(Posix.unlink)
    #expect(try numbers(storage) == [])
    #expect(storage.count == 0)
    try storage.append(EventSamples.events(30..<31))
    #expect(try numbers(storage) == [30])
  }

  @Test("What is no plain file is set aside, what a killed process has left goes")
  func noFile() throws {
    let paths = try makeThree()
    let others = ["d", "e", "f"].map { PathParts.join(files.folder, "queue.v1.800000000000000" + $0) }
    let left = PathParts.join(files.folder, ".queue.v1.8000000000000001.optimizing")
    #expect(mkdir(others[0], 0o700) == 0)
    Posix.unlink(paths[1])
    #expect(mkdir(paths[1], 0o700) == 0)
    #expect(symlink(paths[2], others[1]) == 0)
    #expect(mkfifo(others[2], 0o600) == 0)
    try files.write([1], to: left)
    let storage = try open()
    #expect(storage.takeDamage().files == ([paths[1]] + others).map { PathParts($0).name + ".damaged" })
    #expect(try numbers(storage) == [0, 1, 2, 3, 8, 9, 10])
    #expect(Posix.status(at: left) == nil)
    try storage.removeAll()
  }
}
