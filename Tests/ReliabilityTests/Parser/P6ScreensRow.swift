import FuzzChecks
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `P6: whole screens over random files draw, whatever is pressed`() async throws {
    try await Self.row("P6") { run in
      let frames = 80
      while run.goesOn(by: frames) {
        var screens = ScreenChecks(seed: run.seed)
        run.tally.expected += frames
        guard let complaint = screens.complaint(frames: frames) else {
          run.tally.got += frames
          continue
        }
        run.tally.bad += 1
        if run.tally.bad <= 5 { Issue.record("seed \(run.seed): \(complaint)") }
      }
      run.note = "80 frames of a file; the size, every cell, wide signs and the sides of boxes"
    }
  }
}

@Suite("Screens that a fuzzer has found wrong")
struct FoundScreensTests {
  /// Labels of the axis of a histogram, which stood over the side of their box.
  @Test(arguments: [2268, 6287, 6721, 7806] as [UInt64])
  func stayRight(number: UInt64) {
    var screens = ScreenChecks(seed: number &* 0x9E37_79B9)
    #expect(screens.complaint(frames: 80) == nil)
  }
}
