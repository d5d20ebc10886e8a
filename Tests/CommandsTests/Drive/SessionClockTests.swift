import Platform
import Testing

@testable import Commands

@Suite("The clock of a play")
struct PlayClockTests {
  @Test func `It goes as fast as it is told, without a jump where that changes`() {
    var clock = SessionClock(at: 100)
    clock.update(at: 102)
    #expect(clock.moment == .seconds(2))
    clock.setSpeed(60)
    clock.update(at: 103)
    #expect(clock.moment == .seconds(62))
    clock.setSpeed(0.25)
    clock.update(at: 107)
    #expect(clock.moment == .seconds(63))
  }

  @Test func `It stands still and goes on from there`() {
    var clock = SessionClock(at: 100)
    clock.update(at: 101)
    clock.setRunning(false)
    clock.update(at: 500)
    #expect(clock.moment == .seconds(1) && clock.time(of: .seconds(2)) == nil)
    clock.setRunning(true)
    clock.update(at: 501)
    #expect(clock.moment == .seconds(2))
  }

  @Test(arguments: [0.25, 1, 2, 60])
  func `What is due has come at the time that it says`(speed: Double) throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<1_000 {
      let start = Double.random(in: 0...2e9, using: &random)
      var clock = SessionClock(at: start)
      clock.setSpeed(speed)
      let moment = Duration.milliseconds(Int64.random(in: 1...10_000_000, using: &random))
      let time = try #require(clock.time(of: moment))
      #expect(abs(time.seconds - start - moment / .seconds(1) / speed) < 0.003)
      clock.update(at: time.seconds)
      #expect(clock.moment >= moment && clock.moment < moment + .milliseconds(2))
    }
  }

  @Test func `A calendar that is put back does not hold it up, and no moment is taken back`() {
    var clock = SessionClock(at: 100)
    clock.update(at: 110)
    clock.update(at: 50)
    #expect(clock.moment == .seconds(10))
    clock.update(at: 51)
    #expect(clock.moment == .seconds(11))
    clock.update(at: 1e300)
    clock.update(at: -1e300)
    #expect(clock.moment >= .seconds(11))
  }

  @Test func `A look that comes much too late says that the machine slept`() {
    var clock = SessionClock(at: 100)
    #expect(clock.sleep(until: 119, expected: 100.01) == nil)
    #expect(clock.sleep(until: 3_700, expected: nil) == nil)
    #expect(clock.sleep(until: 3_700, expected: 3_690) == nil)
    #expect(clock.sleep(until: 3_700, expected: 160) == .seconds(3_600))
    clock.setRunning(false)
    #expect(clock.sleep(until: 3_700, expected: 160) == nil)
  }

  @Test func `While it is held our time passes without its own`() {
    var clock = SessionClock(at: 100)
    clock.update(at: 101)
    clock.hold(at: 151)
    clock.update(at: 152)
    #expect(clock.moment == .seconds(2))
    clock.move(to: .seconds(60))
    clock.update(at: 153)
    #expect(clock.moment == .seconds(61))
  }
}

extension SessionClock {
  fileprivate init(at seconds: Double) {
    self.init(at: Timestamp(seconds))
  }

  fileprivate mutating func update(at seconds: Double) { update(at: Timestamp(seconds)) }

  fileprivate mutating func hold(at seconds: Double) { hold(at: Timestamp(seconds)) }

  fileprivate func sleep(until seconds: Double, expected: Double?) -> Duration? {
    sleep(until: Timestamp(seconds), expected: expected.map { Timestamp($0) })
  }
}
