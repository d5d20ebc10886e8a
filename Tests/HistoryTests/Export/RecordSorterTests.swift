import Foundation
import Platform
import TestSupport
import Testing

@testable import History
@testable import JSONLines

@Suite("Sorting more records than memory holds")
struct RecordSorterTests {
  private struct Given: Equatable {
    var group: UInt32
    var member: UInt32
    var text: [UInt8]?
    var time: Double
    var number: Int

    static func isOrdered(_ left: Given, _ right: Given) -> Bool {
      if left.group != right.group { return left.group < right.group }
      if left.member != right.member { return left.member < right.member }
      if left.text != right.text {
        guard let first = left.text, let second = right.text else { return left.text == nil }
        return first.lexicographicallyPrecedes(second)
      }
      return left.time != right.time ? left.time < right.time : left.number < right.number
    }
  }

  private func records(_ count: Int, seed: UInt64) -> [Given] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      let length = Int.random(in: -2...3, using: &generator)
      let text = length < 0 ? nil : (0..<length).map { _ in UInt8.random(in: 0...1, using: &generator) }
      return Given(
        group: .random(in: 0...2, using: &generator), member: .random(in: 0...2, using: &generator),
        text: text,
        time: Double.random(in: -3...3, using: &generator).rounded(), number: number)
    }
  }

  @Test(arguments: [1, 100, 1000, 1 << 20])
  func `All come back in order, whether they fit into memory or not`(_ limit: Int) throws {
    let folder = try TemporaryFolder()
    for count in [0, 1, 2, 700] {
      let given = records(count, seed: UInt64(count))
      var sorter = RecordSorter(temporaryFolder: folder.url.path, limit: limit)
      for record in given {
        let key = RecordSorter.Key(group: record.group, member: record.member, time: record.time)
        try sorter.append(
          key, text: ArraySlice(record.text ?? []), hasText: record.text != nil,
          figure: Array("\(record.number)".utf8))
      }
      #expect(try PosixFileSystem().names(in: folder.url.path) == [])
      var found: [Given] = []
      try sorter.forEach { key, text, figure in
        let number = Int(String(decoding: figure, as: UTF8.self)) ?? -1
        found.append(
          Given(
            group: key.group, member: key.member, text: text.map { Array($0) }, time: key.time, number: number
          ))
      }
      #expect(found == given.sorted(by: Given.isOrdered))
    }
  }

  @Test func `A record longer than every buffer comes back whole`() throws {
    let folder = try TemporaryFolder()
    var sorter = RecordSorter(temporaryFolder: folder.url.path, limit: 1 << 16)
    let texts = (0..<5).map { [UInt8](repeating: UInt8(5 - $0), count: 300_000) }
    for text in texts {
      try sorter.append(.init(group: 0, member: 0, time: 0), text: text[...], hasText: true, figure: [1])
    }
    var found: [[UInt8]] = []
    try sorter.forEach { _, text, _ in found.append(Array(text ?? [])) }
    #expect(found == texts.reversed())
  }

  @Test func `Where nothing can be written, the reason is told`() {
    var sorter = RecordSorter(temporaryFolder: "/nonexistent", limit: 1)
    #expect(throws: FileFailure.missing) {
      try sorter.append(.init(group: 0, member: 0, time: 0), text: [], hasText: false, figure: [])
    }
  }
}
