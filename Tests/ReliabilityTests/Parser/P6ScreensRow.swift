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
