import Foundation
import Platform
import TestSupport
import Testing

@testable import MisterMetricsCore

@Suite("Optimize")
struct OptimizeTests {
  static let cutoff = Date(timeIntervalSinceReferenceDate: 100)

  let folder: TemporaryFolder
  let store: MetricFileStore

  init() throws {
    folder = try TemporaryFolder()
    store = try MetricFileStore(file: folder.file())
  }

  @Test("removes what is older and keeps the rest byte for byte, unknown and invalid lines too")
  func survivors() async throws {
    let torn = Data("{\"torn".utf8)
    let kept =
      Data("not an entry\n".utf8) + Data(try Samples.line(2, at: 100).utf8) + RetrievalTests.invalid
      + Data("{\"schema\":9}\n\n".utf8)
      + Data(try Samples.line(3, at: 1e9).replacing(":1", with: " : 1").utf8)
    var data = Data(try Samples.line(1, at: 99.9).utf8) + kept
    data += Data(try Samples.line(4, at: -5).utf8) + torn
    try data.write(to: folder.file())
    let done = try await store.optimize(removingBefore: Self.cutoff)
    #expect(try Data(contentsOf: folder.file()) == kept + torn)
    #expect(done.removed == 2)
    #expect(done.kept == 6)
    #expect(done.undecodable == 4)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names == [".metrics.jsonl.lock", "metrics.jsonl"])
  }

  @Test("what a killed compaction left is removed by the next store that records")
  func leftovers() async throws {
    let left = folder.url.appendingPathComponent(".metrics.jsonl.mistertop-AbCdEf")
    try Data("half".utf8).write(to: left)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: left.path)
    try await store.record(Samples.count, value: 1)
    #expect(!FileManager.default.fileExists(atPath: left.path))
  }

  @Test(
    "copies lines that are too long for a record in parts, and readers count each once", arguments: [0, 1])
  func longLines(extra: Int) async throws {
    let limit = 16 << 20
    let old = Data(try Samples.line(1, at: 5).utf8)
    var kept = Data(repeating: 0x78, count: limit + extra)
    kept += Data("\n\(try Samples.line(2, at: 100))".utf8)
    kept += Data(repeating: 0x79, count: 3 * limit + 7)
    kept += Data("\n\(try Samples.line(3, at: 101))".utf8)
    // Without an end.
    let torn = Data(repeating: 0x7A, count: 2 * limit + 9)
    try (old + kept + torn).write(to: folder.file())
    let done = try await store.optimize(removingBefore: Self.cutoff)
    #expect(done.removed == 1 && done.kept == 4 && done.undecodable == 2)
    #expect(try Data(contentsOf: folder.file()) == kept + torn)
    #expect(try await store.retrieveAll(for: Samples.startup).map(\.value) == [2, 3])
  }

  @Test("leaves a file alone that has nothing old in it, whatever its first line is")
  func nothingOld() async throws {
    let data = Data("bad first line\n".utf8) + Data(try Samples.line(1, at: 100).utf8)
    try data.write(to: folder.file())
    let before =
      try FileManager.default.attributesOfItem(atPath: folder.file().path)[.systemFileNumber] as? Int
    #expect(try await store.optimize(removingBefore: Self.cutoff).removed == 0)
    let after =
      try FileManager.default.attributesOfItem(atPath: folder.file().path)[.systemFileNumber] as? Int
    #expect(before == after)
    #expect(try Data(contentsOf: folder.file()) == data)
  }

  @Test("finds old entries behind a young or bad first line")
  func youngFirst() async throws {
    var text = try "bad\n" + Samples.line(0, at: 1e9)
    for number in 0..<900 { text += try Samples.line(Double(number), at: 50) }
    try Data(text.utf8).write(to: folder.file())
    #expect(try await store.optimize(removingBefore: Self.cutoff).removed == 900)
    #expect(lines(of: folder.file()).count == 2)
  }

  @Test("counts days from the start of the day, and takes any number")
  func days() async throws {
    let day = 86_400.0
    let now = Date()
    for age in [0, 1, 2, 3, 4] {
      try await store.append([
        try MetricEntry(
          timestamp: now.addingTimeInterval(-Double(age) * day), metric: Samples.count, encoding: age)
      ])
    }
    try await store.optimize(maxRetentionDays: .max)
    #expect(lines(of: folder.file()).count == 5)
    try await store.optimize(maxRetentionDays: 2)
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == [0, 1, 2])
    try await store.optimize(maxRetentionDays: .min)
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == [0])
  }

  @Test("two at once, of files that were rotated too, put nothing half in place and do not fail")
  func twoAtOnce() async throws {
    let other = try MetricFileStore(file: folder.file())
    for round in 0..<20 {
      let written: [String] = try (0..<200).map { try Samples.line(Double($0), at: $0 % 2 == 0 ? 5 : 200) }
      let text = written.joined()
      for name in ["metrics.jsonl", "metrics.jsonl.1"] { try Data(text.utf8).write(to: folder.file(name)) }
      async let first = store.optimize(removingBefore: Self.cutoff)
      async let second = other.optimize(removingBefore: Self.cutoff)
      try await store.record(Samples.startup, value: Double(round))
      _ = try await (first, second)
      #expect(lines(of: folder.file()).count == 101 && lines(of: folder.file("metrics.jsonl.1")).count == 100)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names == [".metrics.jsonl.lock", "metrics.jsonl", "metrics.jsonl.1"])
  }

  @Test("keeps what a program that had a rotated file open has written to it meanwhile")
  func lateLines() async throws {
    let rotated = folder.file("metrics.jsonl.1")
    try Data((try Samples.line(1, at: 5) + Samples.line(2, at: 200)).utf8).write(to: rotated)
    try Data(try Samples.line(3, at: 300).utf8).write(to: folder.file())
    let old = try Posix.open(rotated.path, flags: O_RDWR | O_APPEND)
    defer { Posix.close(old) }
    #expect(flock(old, LOCK_EX) == 0)
    async let done = store.optimize(removingBefore: Self.cutoff)
    // It waits for whoever has the lock of the rotated file.
    let hasCopy = await eventually {
      (try? Posix.names(in: folder.url.path))?.contains { $0.contains(".mistertop-") } == true
    }
    #expect(hasCopy)
    try FileHandle(fileDescriptor: old).write(contentsOf: Data(try Samples.line(4, at: 250).utf8))
    #expect(flock(old, LOCK_UN) == 0)
    #expect(try await done.removed == 1)
    #expect(try await store.retrieveAll(for: Samples.startup).map(\.value).sorted() == [2, 3, 4])
  }

  @Test("takes the place of no other file that a rotation without locks has brought there meanwhile")
  func rotatedMeanwhile() async throws {
    let files = FileManager.default
    let rotated = folder.file("metrics.jsonl.1")
    try Data((try Samples.line(1, at: 5) + Samples.line(2, at: 200)).utf8).write(to: rotated)
    let current = Data(try Samples.line(3, at: 300).utf8)
    try current.write(to: folder.file())
    let reader = try Posix.open(rotated.path)
    defer { Posix.close(reader) }
    #expect(flock(reader, LOCK_EX) == 0)
    async let done = store.optimize(removingBefore: Self.cutoff)
    #expect(
      await eventually {
        (try? Posix.names(in: folder.url.path))?.contains { $0.contains(".mistertop-") } == true
      })
    try files.moveItem(at: rotated, to: folder.file("metrics.jsonl.2"))
    try files.moveItem(at: folder.file(), to: rotated)
    #expect(flock(reader, LOCK_UN) == 0)
    #expect(try await done.removed == 1)
    #expect(try Data(contentsOf: rotated) == current)
    #expect(try Data(contentsOf: folder.file("metrics.jsonl.2")) == Data(try Samples.line(2, at: 200).utf8))
  }

  @Test(
    "knows a file that was cut and has grown again, beyond where the copy was begun, from one that has grown")
  func cutAndGrown() throws {
    try Data((try Samples.line(1, at: 5) + Samples.line(2, at: 200)).utf8).write(to: folder.file())
    let source = try Posix.open(folder.file().path, flags: O_RDWR | O_APPEND)
    defer { Posix.close(source) }
    let size = Int(clamping: try Posix.status(of: source).size)
    let copy = try SurvivorCopy(
      from: source, upTo: size, to: try ReplacementFile(for: folder.file().path), cutoff: Self.cutoff,
      decoder: LineDecoder())
    let handle = FileHandle(fileDescriptor: source)
    try handle.write(contentsOf: Data(try Samples.line(3, at: 300).utf8))
    #expect(try copy.fits(size: 2 * size))
    #expect(ftruncate(source, 0) == 0)
    #expect(try !copy.fits(size: 0))
    try handle.write(contentsOf: Data((4...9).map { try Samples.line(Double($0), at: 300) }.joined().utf8))
    #expect(try !copy.fits(size: Int(clamping: Posix.status(of: source).size)))
  }

  @Test("adds what came in the last moment behind what others have written to the new file")
  func lastMoment() throws {
    let path = folder.file().path
    let old = Data(try Samples.line(1, at: 5).utf8)
    try old.write(to: folder.file())
    let source = try Posix.open(path, flags: O_RDWR | O_APPEND)
    defer { Posix.close(source) }
    let target = try ReplacementFile(for: path)
    try target.putInPlace()
    let compaction = FileCompaction(path: path, cutoff: Self.cutoff)
    try compaction.addLate(from: source, since: UInt64(old.count), to: target)
    #expect(lines(of: folder.file()) == [])
    let (late, next) = (try Samples.line(2, at: 200), try Samples.line(3, at: 201))
    try FileHandle(fileDescriptor: source).write(contentsOf: Data(late.utf8))
    let writer = try FileHandle(forWritingTo: folder.file())
    try writer.write(contentsOf: Data(next.utf8))
    try writer.close()
    try compaction.addLate(from: source, since: UInt64(old.count), to: target)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == next + late)
  }

  @Test("says what became of the others when one rotated file cannot be compacted")
  func partly() async throws {
    let text = try Samples.line(1, at: 5) + Samples.line(2, at: 200)
    for name in ["metrics.jsonl", "metrics.jsonl.1"] { try Data(text.utf8).write(to: folder.file(name)) }
    try FileManager.default.createDirectory(
      at: folder.file("metrics.jsonl.2"), withIntermediateDirectories: false)
    let error = await #expect(throws: MetricError.self) {
      try await store.optimize(removingBefore: Self.cutoff)
    }
    #expect(error?.message.hasSuffix("; of the other files 2 lines were removed, 2 kept") == true)
    #expect(lines(of: folder.file()).count == 1 && lines(of: folder.file("metrics.jsonl.1")).count == 1)
  }

  @Test("keeps the oldest file for its last line, though that has no end yet", arguments: [true, false])
  func lastLineOfOldest(isEntry: Bool) async throws {
    let rotated = folder.file("metrics.jsonl.1")
    let last = isEntry ? String(try Samples.line(2, at: 200).dropLast()) : "{\"torn"
    try Data((try Samples.line(1, at: 5) + last).utf8).write(to: rotated)
    try Data(try Samples.line(3, at: 300).utf8).write(to: folder.file())
    #expect(try await store.optimize(removingBefore: Self.cutoff).removed == 1)
    #expect(try Data(contentsOf: rotated) == Data(last.utf8))
  }

  @Test("leaves a second name of the current file under a number as it is")
  func secondName() async throws {
    try Data((try Samples.line(1, at: 5) + Samples.line(2, at: 200)).utf8).write(to: folder.file())
    #expect(link(folder.file().path, folder.file("metrics.jsonl.1").path) == 0)
    #expect(try await store.optimize(removingBefore: Self.cutoff).removed == 1)
    #expect(lines(of: folder.file("metrics.jsonl.1")).count == 2 && lines(of: folder.file()).count == 1)
  }

  @Test("loses nothing that others append meanwhile")
  func concurrentWriters() async throws {
    var text = ""
    for number in 0..<2_000 { text += try Samples.line(Double(number), at: 50) }
    try Data(text.utf8).write(to: folder.file())
    let file = folder.file()
    let writing = Task {
      let other = try MetricFileStore(file: file)
      for number in 0..<2_000 { try await other.record(Samples.count, value: number) }
    }
    for round in 0..<20 {
      let old = try (0..<50).map {
        try MetricEntry(
          timestamp: Date(timeIntervalSinceReferenceDate: 1), metric: Samples.startup,
          encoding: Double(round + $0))
      }
      try await store.append(old)
      try await store.optimize(removingBefore: Self.cutoff)
    }
    try await writing.value
    try await store.optimize(removingBefore: Self.cutoff)
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == Array(0..<2_000))
    #expect(lines(of: file).count == 2_000)
  }

  @Test("works on a link's target, keeps permissions, and does nothing without a file")
  func linksAndModes() async throws {
    #expect(try await store.optimize(removingBefore: Self.cutoff).kept == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.file().path))
    let real = folder.file("real.jsonl")
    try Data((try Samples.line(1, at: 1) + Samples.line(2, at: 200)).utf8).write(to: real)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: real.path)
    let link = folder.file("link.jsonl")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
    try await MetricFileStore(file: link).optimize(removingBefore: Self.cutoff)
    #expect(lines(of: real).count == 1)
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link.path)) != nil)
    let mode = try FileManager.default.attributesOfItem(atPath: real.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }
}

@Suite("Rotation")
struct RotationTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func store(maxBytes: Int, keep: Int) throws -> MetricFileStore {
    var options = MetricFileOptions()
    options.rotation = MetricFileRotation(maxBytes: maxBytes, keep: keep)
    return try MetricFileStore(file: folder.file(), options: options)
  }

  @Test("numbers full files, newest first, and removes what exceeds the number to keep")
  func numbers() async throws {
    let store = try store(maxBytes: 1_000, keep: 2)
    for number in 0..<60 { try await store.record(Samples.count, value: number) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names == [".metrics.jsonl.lock", "metrics.jsonl", "metrics.jsonl.1", "metrics.jsonl.2"])
    for name in names { #expect(try Data(contentsOf: folder.file(name)).count <= 1_000) }
    let values = try await store.retrieveAll(for: Samples.count).map(\.value)
    #expect(values == Array((60 - values.count)..<60))
    #expect(values.count > 14)
  }

  @Test("keeps who may read the file", arguments: [0o600, 0o640, 0o664])
  func permissions(mode: Int) async throws {
    let store = try store(maxBytes: 500, keep: 2)
    try await store.record(Samples.count, value: 0)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file().path)
    for number in 1..<20 { try await store.record(Samples.count, value: number) }
    for name in ["metrics.jsonl", "metrics.jsonl.1", "metrics.jsonl.2"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name).path)
      #expect(attributes[.posixPermissions] as? Int == mode)
    }
  }

  @Test("that a name in the way forbids costs no record: the file grows until it is gone", arguments: [1, 2])
  func obstacle(keep: Int) async throws {
    let store = try store(maxBytes: 500, keep: keep)
    let obstacle = folder.file("metrics.jsonl.\(keep)")
    try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false)
    if keep == 2 { try Data("{}\n".utf8).write(to: folder.file("metrics.jsonl.1")) }
    for number in 0..<20 { try await store.record(Samples.count, value: number) }
    #expect(lines(of: folder.file()).count == 20)
    if keep == 2 { #expect(lines(of: folder.file("metrics.jsonl.1")) == ["{}"]) }
    #expect(store.counts.written == 20 && store.counts.refused == 0 && store.counts.failures > 0)
    #expect(store.lastError?.code == .rotationFailed && store.lastError?.systemErrorNumber == EISDIR)
    let failures = store.counts.failures
    try FileManager.default.removeItem(at: obstacle)
    try await store.record(Samples.count, value: 20)
    #expect(lines(of: folder.file()).count == 1 && lines(of: folder.file("metrics.jsonl.1")).count == 20)
    #expect(store.counts.failures == failures)
  }

  @Test("that fails keeps the oldest file too")
  func oldest() async throws {
    let store = try store(maxBytes: 500, keep: 3)
    try FileManager.default.createDirectory(
      at: folder.file("metrics.jsonl.2"), withIntermediateDirectories: false)
    for name in ["metrics.jsonl.1", "metrics.jsonl.3"] { try Data("{}\n".utf8).write(to: folder.file(name)) }
    for number in 0..<20 { try await store.record(Samples.count, value: number) }
    #expect(lines(of: folder.file()).count == 20)
    #expect(lines(of: folder.file("metrics.jsonl.1")) == ["{}"])
    #expect(lines(of: folder.file("metrics.jsonl.3")) == ["{}"])
  }

  @Test("of a file with two names moves both")
  func twoNames() async throws {
    let store = try store(maxBytes: 500, keep: 1)
    try await store.record(Samples.count, value: 0)
    #expect(link(folder.file().path, folder.file("metrics.jsonl.1").path) == 0)
    for number in 1..<6 { try await store.record(Samples.count, value: number) }
    #expect(lines(of: folder.file()).count < 6 && store.counts.failures == 0)
    #expect(try await store.retrieveAll(for: Samples.count).map(\.value) == Array(0..<6))
  }

  @Test("never splits a batch, and writes one that is larger than a file whole")
  func largeBatch() async throws {
    let store = try store(maxBytes: 100, keep: 9)
    let batch = try (0..<10).map { try MetricEntry(metric: Samples.count, encoding: $0) }
    try await store.append(batch)
    try await store.append(batch)
    #expect(lines(of: folder.file()).count == 10)
    #expect(lines(of: folder.file("metrics.jsonl.1")).count == 10)
  }

  @Test("loses nothing with several writers that all rotate")
  func severalWriters() async throws {
    let stores = try (0..<4).map { _ in try store(maxBytes: 4_000, keep: 10_000) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (writer, store) in stores.enumerated() {
        group.addTask {
          for number in 0..<300 { try await store.record(Samples.count, value: writer * 1_000 + number) }
        }
      }
      try await group.waitForAll()
    }
    let values = try await stores[0].retrieveAll(for: Samples.count).map(\.value)
    #expect(values.count == 1_200)
    for writer in 0..<4 {
      #expect(values.filter { $0 / 1_000 == writer } == (0..<300).map { writer * 1_000 + $0 })
    }
  }

  @Test("optimize goes through numbered files and removes the oldest when nothing is left in it")
  func optimize() async throws {
    let store = try store(maxBytes: 300, keep: 9)
    for second in 0..<20 {
      let time = Date(timeIntervalSinceReferenceDate: Double(second))
      try await store.append([try MetricEntry(timestamp: time, metric: Samples.count, encoding: second)])
    }
    let done = try await store.optimize(removingBefore: Date(timeIntervalSinceReferenceDate: 15))
    let values = try await store.retrieveAll(for: Samples.count).map(\.value)
    #expect(values == [15, 16, 17, 18, 19])
    #expect(done.kept == 5)
    #expect(!FileManager.default.fileExists(atPath: folder.file("metrics.jsonl.9").path))
  }
}
