import Foundation
import Telemetry
import Testing

@Suite("Intervals of animations")
struct AnimationTests {
  private let test = TestSignposter(category: "Gallery")

  @Test("late frames are summed, and an animation without any has none")
  func hitches() {
    let signposter = test.make()
    let scroll = signposter.beginAnimationInterval("Scroll")
    test.advance(by: .seconds(2))
    scroll.noteHitch(.milliseconds(16))
    scroll.noteHitch(.microseconds(8_500))
    scroll.noteHitch(.milliseconds(-3))
    signposter.endInterval("Scroll", scroll)
    signposter.endInterval("Fade", signposter.beginAnimationInterval("Fade", "out"))
    #expect(test.intervals.map(\.hitchMs) == [24.5, 0])
    #expect(test.story == ["Scroll 2000.0", "Fade 0.0 (out)"])
  }

  @Test("what is no animation has no late frames")
  func others() {
    let signposter = test.make()
    let decode = signposter.beginInterval("Decode")
    decode.noteHitch(.seconds(1))
    signposter.endInterval("Decode", decode)
    let recreated = SignpostIntervalState.beginState(id: SignpostID(4))
    recreated.noteHitch(.seconds(1))
    signposter.endInterval("Decode", recreated)
    #expect(test.intervals.map(\.hitchMs) == [nil, nil])
  }

  @Test("the sum of late frames ends at the most there is")
  func saturates() {
    let signposter = test.make()
    let scroll = signposter.beginAnimationInterval("Scroll")
    for _ in 0..<3 { scroll.noteHitch(.seconds(Int64.max)) }
    signposter.endInterval("Scroll", scroll)
    #expect(test.intervals.map(\.hitchMs) == [Double(Int64.max) / 1e6])
  }

  @Test("a disabled signposter begins no animation")
  func disabled() {
    let state = Signposter.disabled.beginAnimationInterval("Scroll")
    state.noteHitch(.seconds(1))
    #expect(state.signpostID == .null)
  }

  @Test("animations keep to the rules of begin and end")
  func rules() {
    let signposter = test.make()
    let first = signposter.beginAnimationInterval("Scroll")
    let second = signposter.beginAnimationInterval("Scroll")
    signposter.endInterval("Scroll", second)
    signposter.endInterval("Scroll", first)
    signposter.endInterval("Scroll", first)
    #expect(signposter.misuses == 2)
  }

  #if os(Linux)
    @Test("with snapshots an interval tells what the process wrote to files")
    func writes() throws {
      let signposter = test.make(snapshots: true)
      signposter.withIntervalSignpost("Nothing") {}
      let written = try #require(test.intervals.first?.writtenBytes)
      #expect(written >= 0 && written.isMultiple(of: 512))
    }
  #endif
}
