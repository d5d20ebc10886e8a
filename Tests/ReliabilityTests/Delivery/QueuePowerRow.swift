import DeliveryCore
import Foundation
import Platform
import TestDelivery
import TestSupport
import Testing

/// Q8: a cut of power, as the promises of the file system are.
extension FaultMatrix {
  @Test func `Q8: after a cut of power at any call the queue has all that was acknowledged, in order`()
    async throws
  {
    try await Self.row("Q8") { run in
      while run.goesOn() { try Self.cutPower(seed: run.seed, into: &run.tally) }
      run.note = "of what was not synced anything may be there: names in their order, bytes by sectors"
    }
  }

  @Test func `Q8 is red without the sync of the folder`() async throws {
    try await Self.control("Q8", without: "the sync of the folder") { run in
      while run.goesOn(), run.tally.lost == 0 {
        try Self.cutPower(seed: run.seed, syncsFolder: false, into: &run.tally)
      }
    }
  }

  private static func cutPower(
    seed: UInt64, syncsFolder: Bool = true, into tally: inout MatrixRun.Tally
  ) throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: seed)
    let disk = PowerCutFolder(folder.path("queue"), syncsFolder: syncsFolder)
    var script = PowerScript(try QueueFiles.open(folder.path("queue"), operations: disk.operations))
    disk.cut(atCall: Int.random(in: 1...120, using: &random), seed: seed)
    for _ in 0..<40 where disk.remains == nil { try script.act(&random) }
    let remains = disk.remains ?? disk.cutNow(seed: seed)
    let after = QueueFiles(folder.path("after"))
    guard mkdir(after.folder, 0o700) == 0 else { throw FileFailure.last }
    for (name, bytes) in remains { try after.write(bytes, to: PathParts.join(after.folder, name)) }
    let storage = try QueueFiles.open(after.folder)
    let found = try storage.first(.max)
    script.check(found, isOver: disk.remains == nil, into: &tally)
    // And it goes on.
    try storage.append(EventSamples.events(5000..<5001))
    tally.bad += try storage.first(.max).map(\.number) == found.map(\.number) + [5000] ? 0 : 1
  }
}

/// Random calls on a queue, and what it has to hold whenever the power is cut.
private struct PowerScript {
  private let storage: SegmentedEventStorage
  /// The lines that must be there.
  private var list: [Int] = []
  /// The last call's additions or removals: the cut may have come before, behind or in the middle of it.
  private var (before, behind, removed): ([Int], [Int], [Int]) = ([], [], [])
  private var next = 100

  init(_ storage: SegmentedEventStorage) { self.storage = storage }

  mutating func act(_ random: inout SeededGenerator) throws {
    settle()
    let count = Int.random(in: 1...9, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0...3:
      behind = numbers(count)
      try storage.append(events(behind, &random))
    case 4:
      before = numbers(count)
      try storage.prepend(events(before, &random))
    case 5: _ = try storage.first(count)
    default:
      removed = Array(list.prefix(count))
      list.removeFirst(removed.count)
      try storage.removeFirst(count)
    }
  }

  /// The last call has returned.
  private mutating func settle() {
    list = before + list + behind
    (before, behind, removed) = ([], [], [])
  }

  private mutating func numbers(_ count: Int) -> [Int] {
    next += count
    return Array(next - count..<next)
  }

  private func events(_ numbers: [Int], _ random: inout SeededGenerator) -> [QueuedEvent] {
    numbers.map { EventSamples.event($0, padding: Int.random(in: 0...300, using: &random)) }
  }

  /// Compares what is there with what must be there.
  ///
  /// - Parameter isOver: Whether the last call had returned when the power was cut.
  mutating func check(_ found: [QueuedEvent], isOver: Bool, into tally: inout MatrixRun.Tally) {
    if isOver { settle() }
    let numbers = found.map(\.number)
    tally.expected += list.count
    let there = Set(numbers)
    let lost = list.count { !there.contains($0) }
    tally.lost += lost
    tally.got += list.count - lost
    tally.duplicated += numbers.count - there.count
    // Of what was removed the end, and of what was added whatever sectors came through, in its order.
    let allowed = (0...removed.count).contains { cut in
      let rest = Array(removed[cut...]) + list
      guard !rest.isEmpty else { return Self.isPart(numbers[...], of: before + behind) }
      guard let place = numbers.firstRange(of: rest) else { return false }
      return Self.isPart(numbers[..<place.lowerBound], of: before)
        && Self.isPart(numbers[place.upperBound...], of: behind)
    }
    tally.bad += allowed || lost > 0 ? 0 : 1
    for event in found where !event.isWhole { tally.bad += 1 }
  }

  /// True if some of the numbers are there, in their order.
  private static func isPart(_ part: ArraySlice<Int>, of whole: [Int]) -> Bool {
    whole.filter(part.contains) == Array(part)
  }
}

extension QueuedEvent {
  /// True if a sample is as it was made.
  var isWhole: Bool {
    let padding = json.count(where: { $0 == UInt8(ascii: "x") })
    return self == EventSamples.event(number, padding: padding)
  }
}
