import Platform
import TestSupport
import Testing

@testable import ClickHouse

@Suite("Times of samples on a server")
struct SampleTimesTests {
  @Test func `A time comes back as the very double, and keeps its place among others`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<50_000 {
      // From 2018 to 2035.
      var time = Timestamp(.random(in: 536e6...1073e6, using: &random))
      if random.next() & 1 == 0 { time = Timestamp((time.seconds * 1e6).rounded() / 1e6) }
      let nanoseconds = SampleTimes.nanoseconds(notBefore: time)
      #expect(SampleTimes.time(nanoseconds) == time)
      #expect(SampleTimes.nanoseconds(notBefore: time.nextUp) > nanoseconds)
    }
  }

  @Test func `Times that no sample can have are the ends`() {
    #expect(SampleTimes.range(.allTime) == SampleTimes.all)
    #expect(SampleTimes.start(ofSlot: .max, seconds: 16) == SampleTimes.all.upperBound)
    #expect(SampleTimes.start(ofSlot: .min, seconds: 16) == SampleTimes.all.lowerBound)
  }

  @Test func `Slots touch a range or lie in it`() {
    let start = SampleTimes.start(ofSlot: 50, seconds: 16)
    let range = start - 1..<start + 32 * SampleTimes.second + 1
    #expect(SampleTimes.wholeSlots(in: range, seconds: 16) == 50..<52)
    #expect(SampleTimes.slots(touching: range, seconds: 16) == 49..<53)
    #expect(SampleTimes.wholeSlots(in: start..<start + 1, seconds: 16).isEmpty)
  }

  @Test func `Lines are read in slices of about as many samples`() {
    let slices = ServerLines.slices(
      [(10, 15_000), (11, 4_000), (12, 4_000), (500, 90_000), (501, 1)], in: SampleTimes.all)
    let starts = [12, 500, 501].map { SampleTimes.start(ofSlot: $0, seconds: 16) }
    #expect(
      slices.map(\.lowerBound) == [0] + starts
        && slices.map(\.upperBound) == starts + [SampleTimes.all.upperBound])
    #expect(ServerLines.slices([], in: SampleTimes.all).isEmpty)
  }
}
