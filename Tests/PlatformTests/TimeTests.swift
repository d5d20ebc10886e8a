import Foundation
import Platform
import Testing

@Suite("moments")
struct TimeTests {
  @Test("a timestamp counts from 2001-01-01 UTC")
  func epochs() {
    #expect(Timestamp(0).unixSeconds == 978_307_200)
    #expect(Timestamp(unixSeconds: 978_307_200.5) == Timestamp(0.5))
    #expect(Timestamp(unixSeconds: 0) == Timestamp(-978_307_200))
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: 816_918_481.25)) == Timestamp(816_918_481.25))
    #expect(Timestamp(816_918_481.25).date == Date(timeIntervalSinceReferenceDate: 816_918_481.25))
  }

  @Test("timestamps and seconds add up")
  func timestampArithmetic() {
    var moment = Timestamp(100)
    #expect(moment + 1.5 == Timestamp(101.5))
    #expect(moment - 1.5 == Timestamp(98.5))
    #expect(moment - Timestamp(40) == 60)
    moment += 2
    moment -= 0.5
    #expect(moment == Timestamp(101.5))
    #expect(.distantPast < moment && moment < .distantFuture)
    #expect(MemoryLayout<Timestamp>.size == MemoryLayout<Double>.size)
  }

  @Test("the clocks of the system are those of Foundation and Dispatch")
  func systemClocks() {
    #expect(abs(Timestamp.now().date.timeIntervalSinceNow) < 60)
    let start = MonotonicInstant.now()
    #expect(abs(start.nanoseconds - Int64(DispatchTime.now().uptimeNanoseconds)) < 60_000_000_000)
    #expect(MonotonicInstant.now() >= start)
    #expect(ProcessorTime.now() > 0)
  }

  @Test("instants and seconds add up to the nanosecond")
  func instantArithmetic() {
    let instant = MonotonicInstant(1)
    #expect((instant + 0.1 + 0.2).nanoseconds == 1_300_000_000)
    #expect((instant - 0.25).nanoseconds == 750_000_000)
    #expect((instant + .milliseconds(3)).nanoseconds == 1_003_000_000)
    #expect(instant - MonotonicInstant(0.5) == 0.5)
    #expect(MonotonicInstant(1.5).seconds == 1.5)
  }

  @Test(
    "an instant that would overflow is the end of time",
    arguments: [
      (Double.infinity, Int64.max), (-Double.infinity, Int64.min), (1e300, .max), (-1e300, .min), (.nan, 0),
    ] as [(Double, Int64)])
  func clampedInstants(_ seconds: Double, _ nanoseconds: Int64) {
    #expect(MonotonicInstant(seconds).nanoseconds == nanoseconds)
  }

  @Test("the ends of time stay where they are")
  func endsOfTime() {
    let latest = MonotonicInstant(nanoseconds: .max - 1)
    #expect(latest + 1 == .distantFuture)
    #expect(latest + .seconds(Int64.max) == .distantFuture)
    #expect(MonotonicInstant(nanoseconds: .min + 1) - 1 == .distantPast)
    #expect(MonotonicInstant.distantPast + 5 == .distantPast)
    #expect(MonotonicInstant.distantFuture - 5 == .distantFuture)
    #expect(MonotonicInstant.distantFuture - MonotonicInstant.distantPast == 0x1p64 / 1e9)
    #expect(Duration.seconds(Int64.max).clampedNanoseconds == .max)
    #expect(Duration.seconds(Int64.min).clampedNanoseconds == -.max)
  }
}
