import Codecs
import DeliveryCore
import Foundation
import Platform
import TestDelivery
import TestSupport
import Testing

/// Q3: files of the queue that were damaged.
extension FaultMatrix {
  @Test func `Q3: damage costs the events that it hit, and is told; all others are delivered as they were`()
    async throws
  {
    try await Self.row("Q3") { run in
      let stock = try DamageStock()
      while run.goesOn() { try stock.damage(seed: run.seed, into: &run.tally) }
      run.note = "bits flipped, sectors zeroed, segments cut, swapped and deleted"
    }
  }

  @Test func `Q3 is red without the checksum`() async throws {
    try await Self.control("Q3", without: "the checksum") { run in
      let stock = try DamageStock(checksums: false)
      while run.goesOn(), run.tally.bad == 0 { try stock.damage(seed: run.seed, into: &run.tally) }
    }
  }
}

/// A queue of forty events in segments of eight, to be damaged again and again.
private struct DamageStock {
  private enum Kind: CaseIterable {
    case bits, sector, cut, swap, deletion
  }

  private let folder: TemporaryFolder
  private let files: QueueFiles
  private let contents: [[UInt8]]
  private let paths: [String]
  /// The place of each event: its segment, and its record in it.
  private let places: [(segment: Int, record: Range<Int>)]
  /// Without them, what was flipped inside of a record looks as if it had been written so.
  private let checksums: Bool
  private static let count = 40

  init(checksums: Bool = true) throws {
    self.checksums = checksums
    folder = try TemporaryFolder()
    files = QueueFiles(folder.path("queue"))
    do {
      let storage = try QueueFiles.open(files.folder, events: 8)
      try storage.append((0..<Self.count).map { EventSamples.event($0, padding: $0 * 7) })
    }
    paths = files.segments
    contents = paths.map(files.bytes)
    var places: [(Int, Range<Int>)] = []
    for (index, bytes) in contents.enumerated() {
      var start = QueueFiles.headerSize
      for number in index * 8..<index * 8 + 8 {
        let end = files.place(of: number, in: bytes)?.upperBound ?? start
        places.append((index, start..<end))
        start = end
      }
    }
    self.places = places
  }

  func damage(seed: UInt64, into tally: inout MatrixRun.Tally) throws {
    var random = SeededGenerator(seed: seed)
    var (damaged, hit) = (contents, Set<Int>())
    let kind = Kind.allCases.randomElement(using: &random) ?? .bits
    let index = Int.random(in: 0..<contents.count, using: &random)
    switch kind {
    case .bits:
      for _ in 0..<Int.random(in: 1...64, using: &random) {
        let place = Int.random(in: 0..<contents[index].count, using: &random)
        damaged[index][place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        hit.formUnion(events(in: index, at: place..<place + 1))
      }
      if !checksums { reseal(&damaged[index], index) }
    case .sector:
      let start = Int.random(in: 0...contents[index].count / 512, using: &random) * 512
      let range = start..<min(start + 512, contents[index].count)
      for place in range { damaged[index][place] = 0 }
      hit = events(in: index, at: range)
    case .cut:
      let length = Int.random(in: 0..<contents[index].count, using: &random)
      damaged[index].removeSubrange(length...)
      hit = events(in: index, at: length..<contents[index].count)
    case .swap: damaged.swapAt(index, Int.random(in: 0..<contents.count, using: &random))
    case .deletion:
      damaged[index] = []
      hit = Set(index * 8..<index * 8 + 8)
    }
    for path in files.all { Posix.unlink(path) }
    for (path, bytes) in zip(paths, damaged) where !(kind == .deletion && bytes.isEmpty) {
      try files.write(bytes, to: path)
    }
    let isHeaderHit =
      damaged[index].prefix(QueueFiles.headerSize) != contents[index].prefix(QueueFiles.headerSize)
    try check(hit: hit, told: told(of: kind, in: index, isHeaderHit: isHeaderHit), into: &tally)
  }

  /// How exactly the number of missing events is told.
  private enum Told {
    /// A part cut off or deleted at an end is not missed.
    case perhaps
    /// Damage was seen, but not how many events it hit.
    case partly
    case exactly
  }

  private func told(of kind: Kind, in segment: Int, isHeaderHit: Bool) -> Told {
    // The numbers of the events around a gap tell how many are missing in it.
    if 0 < segment, segment < contents.count - 1 { return .exactly }
    guard kind == .bits || kind == .sector else { return .perhaps }
    return segment == 0 && !isHeaderHit ? .exactly : .partly
  }

  /// The events that bytes of a segment belong to: all of them where it is the version.
  private func events(in segment: Int, at range: Range<Int>) -> Set<Int> {
    let isVersion = range.lowerBound < QueueFiles.versionSize
    return Set(
      places.indices.filter {
        places[$0].segment == segment && (isVersion || places[$0].record.overlaps(range))
      })
  }

  /// Makes the checks of records right that were not, as if there were none.
  private func reseal(_ bytes: inout [UInt8], _ segment: Int) {
    for place in places where place.segment == segment {
      let content = Array(bytes[place.record].dropFirst(RecordFrame.headerSize))
      bytes.replaceSubrange(place.record, with: RecordFrame.bytes(of: content))
    }
  }

  private func check(hit: Set<Int>, told: Told, into tally: inout MatrixRun.Tally) throws {
    let storage = try QueueFiles.open(files.folder, events: 8)
    let found = try storage.first(.max)
    let numbers = found.map(\.number)
    let left = (0..<Self.count).filter { !hit.contains($0) }
    tally.expected += left.count
    tally.got += left.count(where: numbers.contains)
    tally.lost += left.count { !numbers.contains($0) }
    // Records that were hit may be there only as they were; all are in their order.
    tally.bad += found.count { $0 != EventSamples.event($0.number, padding: $0.number * 7) }
    tally.bad += zip(numbers, numbers.dropFirst()).count { $0 >= $1 }
    let damage = storage.takeDamage()
    let missing = Self.count - numbers.count
    switch told {
    case .exactly: tally.bad += damage.events == missing ? 0 : 1
    case .partly: tally.bad += (min(1, missing)...missing).contains(damage.events) ? 0 : 1
    case .perhaps: tally.bad += damage.events <= missing ? 0 : 1
    }
    // Neither does it hang on what is damaged, nor is anything left of it.
    try storage.append(EventSamples.events(90..<91))
    var rounds = 0
    while storage.count > 0, rounds < 100 {
      try storage.removeFirst(7)
      rounds += 1
    }
    tally.bad += rounds < 100 && files.segments.isEmpty ? 0 : 1
  }
}
