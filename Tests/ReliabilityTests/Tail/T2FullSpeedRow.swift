import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T2: a reader in a tight loop beside a writer at full speed sees no record cut`() async throws {
    try await Self.row("T2") { run in
      var cuts = 0
      let setups = TailSetup.allCases
      for setup in setups {
        let reader = try FastReader(setup, count: run.count / setups.count, seed: run.seed)
        reader.run()
        run.tally.expected += reader.count
        run.tally.got += reader.next
        run.tally.lost += reader.count - reader.next
        run.tally.bad += reader.faults
        cuts += reader.cuts
        run.add(rounds: reader.count)
      }
      // Else the reader was never there while the writer was at a record, and nothing was tried.
      if cuts == 0 { run.tally.bad += 1 }
      run.note = "\(cuts) reads ended inside a record; 120 bytes to 2 MB each"
    }
  }
}

/// A writer on a thread of its own, and a tail that looks again and again.
private final class FastReader {
  let count: Int
  /// The number of the record that is expected next.
  private(set) var next = 0
  private(set) var faults = 0
  /// How often what was there ended inside a record.
  private(set) var cuts = 0
  private let records: NumberedRecords
  private let folder: TemporaryFolder
  private let setup: TailSetup
  private let watcher: any ChangeWatcher
  private var half: [UInt8] = []

  init(_ setup: TailSetup, count: Int, seed: UInt64) throws {
    guard let watcher = setup.watching.make() else { throw RealTail.NoWatcher() }
    self.watcher = watcher
    self.setup = setup
    self.count = count
    records = NumberedRecords(seed: seed)
    folder = try TemporaryFolder()
  }

  func run() {
    let path = folder.path("app.jsonl")
    let (records, count) = (records, count)
    if !setup.readsFirst { records.write(0..<1, to: path) }
    let written = setup.readsFirst ? 0 : 1
    let set = TailSet(sources: [.file(path)], watcher: watcher)
    let writer = Thread { records.write(written..<count, to: path) }
    writer.start()
    let deadline = MonotonicInstant.now() + 120
    while next < count, faults == 0, MonotonicInstant.now() < deadline {
      let now = MonotonicInstant.now()
      set.look(at: now)
      repeat { set.run(at: now) { take($1) } } while set.isBusy
      if !half.isEmpty { cuts += 1 }
    }
  }

  private func take(_ output: TailOutput) {
    guard case .bytes(let bytes, _) = output else { return }
    var rest = bytes
    while let base = rest.baseAddress, let newline = memchr(base, 10, rest.count) {
      let length = UnsafeRawPointer(newline) - base
      let part = UnsafeRawBufferPointer(rebasing: rest[..<length])
      half.append(contentsOf: part)
      half.withUnsafeBytes { if !records.isRecord($0, number: next) { faults += 1 } }
      half.removeAll(keepingCapacity: true)
      next += 1
      rest = UnsafeRawBufferPointer(rebasing: rest[(length + 1)...])
    }
    half.append(contentsOf: rest)
  }
}

/// Records whose number tells all their bytes.
private struct NumberedRecords: Sendable {
  private static let longest = 2_000_000
  private let filler = [UInt8](repeating: UInt8(ascii: "x"), count: longest)
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  private func length(_ number: Int) -> Int {
    var random = SeededGenerator(seed: seed ^ UInt64(number))
    let word = random.next()
    switch word % 10_000 {
    case 0: return Self.longest
    case 1..<50: return 20_000
    case 50..<300: return 5000
    default: return 120 + Int(word >> 32) % 480
    }
  }

  private func head(_ number: Int) -> [UInt8] { Array("{\"n\":\(number),\"x\":\"".utf8) }

  func write(_ numbers: Range<Int>, to path: String) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    for number in numbers {
      let head = head(number)
      let record = head + filler.prefix(length(number) - head.count) + [10]
      var rest = record[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
    close(descriptor)
  }

  func isRecord(_ line: UnsafeRawBufferPointer, number: Int) -> Bool {
    let head = head(number)
    guard line.count == length(number), let base = line.baseAddress, memcmp(base, head, head.count) == 0
    else {
      return false
    }
    return memcmp(base + head.count, filler, line.count - head.count) == 0
  }
}
