import Testing

@testable import Aggregation

@Suite("Raw samples")
struct RawSamplesTests {
  @Test("A full chunk takes no more memory than its samples", arguments: [64, 200, 256])
  func room(capacity: Int) {
    var raw = RawSamples()
    for number in 0..<5 * capacity {
      // A snapshot shares the chunk, so that the next sample copies it.
      let snapshot = number % 7 == 0 ? raw : nil
      _ = raw.insert(RawSample(time: Double(number), word: 0), capacity: capacity)
      #expect(snapshot.map { $0.count < raw.count } ?? true)
    }
    let full = raw.chunks.filter(\.isFull)
    #expect(full.count == 5)
    for chunk in full {
      #expect(chunk.samples.count == capacity && chunk.samples.capacity <= capacity + capacity / 16)
    }
  }
}
