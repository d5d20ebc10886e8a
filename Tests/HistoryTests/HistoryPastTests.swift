import Aggregation
import Foundation
import History
import JSONLines
import Platform
import TestSupport
import Testing

/// A store that is made of an index and the newest blocks against one that is made of every sample.
@Suite struct HistoryPastTests {
  /// The series of a store with what they hold.
  private static func tallies(_ store: SeriesStore) -> [SeriesIdentity: SeriesTally] {
    var found: [SeriesIdentity: SeriesTally] = [:]
    for id in store.allSeries { found[store.identity(of: id) ?? .overflow] = store.tally(of: id) }
    return found
  }

  private static func whole(_ samples: [PlainSample]) -> SeriesStore {
    var store = SeriesStore()
    for sample in samples {
      store.record(store.series(for: sample.identity), time: sample.time.seconds, value: sample.value)
    }
    return store
  }

  /// Reads what lies from an offset on.
  private static func rest(_ text: String, from start: UInt64, into store: inout SeriesStore) {
    var batch = SampleBatch()
    var reader = RangeReader(range: start..<UInt64(text.utf8.count))
    let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: FileScan.slack)
    bytes.withUnsafeBytes { room in
      let all = UnsafeRawBufferPointer(rebasing: room.dropLast(FileScan.slack))
      while !reader.isDone {
        reader.take(
          UnsafeRawBufferPointer(rebasing: all[min(Int(reader.position), all.count)...]), into: &batch)
      }
    }
    for sample in batch.samples {
      SampleValues.forEach(of: sample, in: batch) { field, value in
        let identity = SeriesIdentity(reader.scanner.catalogue[sample.metric], field: field)
        store.record(store.series(for: identity), time: sample.time.seconds, value: value)
      }
    }
  }

  @Test(arguments: [HistoryMaker.Disorder.none, .fine], [1, 3, 15])
  func `an index and the newest blocks make the same tallies as all samples`(
    _ disorder: HistoryMaker.Disorder, _ blocksLeft: Int
  ) throws {
    var maker = HistoryMaker(seed: 17)
    for number in 0..<3000 {
      let step = disorder == .none ? 1.7 : 0.001
      // Garbage stands in one block only: lines that cannot be read are read again to be shown.
      if number == 40 { maker.addGarbage() }
      maker.add(number: Double(number % 77), at: 8e8 + Double(number) * step)
      if number % 5 == 0 { maker.add(word: "w\(number % 3)", at: 8e8 + Double(number) * step) }
      if number % 7 == 0 { maker.add(outcome: "ok", milliseconds: 3, at: 8e8 + Double(number) * step) }
    }
    let file = MemoryBytes(maker.text)
    let maintainer = try IndexMaintainer.indexed([file])
    let index = try #require(maintainer.history.files[0].segments.first)
    let limit = UInt64(maker.text.utf8.count - blocksLeft * 4096)
    let past = try #require(HistoryPast(of: file, index, before: limit))
    #expect(past.end <= limit && past.end > limit - 4096)
    let made = try past.store(limits: SeriesStore.Limits())
    var store = made.store
    Self.rest(maker.text, from: past.end, into: &store)
    let (mine, all) = (Self.tallies(store), Self.tallies(Self.whole(maker.samples)))
    #expect(mine == all)
    #expect(store.recorded == maker.samples.count)
    #expect(made.rejections.total == 1)
    #expect(made.rejections.recent.first?.line == 55)
    #expect(past.lines < maker.lines)
  }

  @Test func `where samples lie wildly in time everything is read`() throws {
    var maker = HistoryMaker(seed: 18)
    maker.fill(.shuffled, count: 3000)
    let file = MemoryBytes(maker.text)
    let index = try #require(try IndexMaintainer.indexed([file]).history.files[0].segments.first)
    #expect(HistoryPast(of: file, index, before: UInt64(maker.text.utf8.count / 2)) == nil)
  }

  @Test func `the strip of time of an index is as even as its samples`() throws {
    var maker = HistoryMaker(seed: 19)
    for number in 0..<6000 { maker.add(number: 1, to: "n\(number % 3)", at: 8e8 + Double(number)) }
    let file = MemoryBytes(maker.text)
    let index = try #require(try IndexMaintainer.indexed([file]).history.files[0].segments.first)
    let past = try #require(HistoryPast(of: file, index, before: UInt64(maker.text.utf8.count)))
    let density = try past.store(limits: SeriesStore.Limits()).store.density
    let seconds = (Double(density.total) / 40).rounded(.down) * 40
    let counts = density.counts(from: 8e8, to: 8e8 + seconds, columns: 40)
    let even = seconds / 40
    #expect(density.total > 5000)
    #expect(counts.allSatisfy { abs($0 - even) < even / 4 }, "\(counts)")
  }
}
