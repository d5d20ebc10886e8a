import Foundation
import TestSupport
import Testing

@testable import History
@testable import JSONLines

@Suite("Decoded blocks that are kept")
struct BlockCacheTests {
  private let cache = BlockCache()

  private func block(_ number: Int, bytes: Int) -> DecodedBlock {
    var block = DecodedBlock(number: number)
    block.batch.payload = [UInt8](repeating: 0, count: bytes)
    return block
  }

  @Test("All files together keep no more than one would")
  func limit() {
    let files = (0..<10).map { _ in cache.newFile() }
    for number in 0..<20 {
      for file in files {
        let key = BlockCache.Key(file: file, number: number)
        cache.keep(block(number, bytes: 1 << 20), as: key)
        #expect(cache.block(key)?.number == number)
      }
    }
    #expect(cache.count == BlockCache.limit >> 20 - 1 || cache.count == BlockCache.limit >> 20)
  }

  @Test("The least recently used goes first, as in a list that is searched")
  func order() {
    var generator = SeededGenerator(seed: 8)
    let file = cache.newFile()
    var list: [Int] = []
    let most = BlockCache.limit / ((1 << 20) + 1024)
    for _ in 0..<20_000 {
      let number = Int.random(in: 0..<20, using: &generator)
      let key = BlockCache.Key(file: file, number: number)
      let isKnown = list.contains(number)
      #expect((cache.block(key) != nil) == isKnown)
      list.removeAll { $0 == number }
      if isKnown, Int.random(in: 0..<10, using: &generator) == 0 {
        cache.remove(key)
        continue
      }
      if !isKnown { cache.keep(block(number, bytes: 1 << 20), as: key) }
      list.append(number)
      if list.count > most { list.removeFirst() }
      #expect(cache.count == list.count)
    }
  }
}
