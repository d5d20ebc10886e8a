import TestSupport
import Testing

/// S4: two devices that set and unset one switch, against a server that loses answers: every order of three edits and two
/// reads of the feed, with one failure.
extension FaultMatrix {
  private typealias Step = SwitchModel.Step

  /// All interleavings, up to the names of the devices: the first edit is made on the first one.
  private static func histories() -> [[Step]] {
    var all: [[Step]] = []
    func extend(_ steps: [Step], edits: Int, feeds: Int, failures: Int) {
      if edits == 0, feeds == 0 { return all.append(steps) }
      for device in 0...1 {
        if feeds > 0 {
          extend(steps + [.feed(device: device)], edits: edits, feeds: feeds - 1, failures: failures)
        }
        guard edits > 0, edits < 3 || device == 0 else { continue }
        for failure in failures > 0 ? SwitchModel.Failure.allCases : [.none] {
          for isOn in [true, false] {
            extend(
              steps + [.edit(device: device, isOn: isOn, failure)], edits: edits - 1, feeds: feeds,
              failures: failure == .none ? failures : failures - 1)
          }
        }
      }
    }
    extend([], edits: 3, feeds: 2, failures: 1)
    return all
  }

  @Test func `S4: replicas agree and the last edit is there, in whatever order edits and feeds come`()
    async throws
  {
    let result = try await MatrixRun.result(of: "S4") { run in
      let histories = Self.histories()
      for (hasVersions, hasKeys) in [(true, true), (true, false), (false, true), (false, false)] {
        let server = SwitchModel.Server(hasVersions: hasVersions, hasKeys: hasKeys)
        for place in stride(from: 0, to: histories.count, by: trials(23, long: 1)) {
          try Self.play(histories[place], server, in: &run)
        }
      }
    }
    #expect(result == .green)
  }

  @Test func `S4 is red without keys that name one edit`() async throws {
    let result = try await MatrixRun.result(of: "S4", without: "keys that name one edit") { run in
      let server = SwitchModel.Server(hasVersions: false, hasKeys: true, confusesKeys: true)
      for history in Self.histories() where run.tally.bad == 0 { try Self.play(history, server, in: &run) }
    }
    #expect(result == .red)
  }

  private static func play(
    _ history: [Step], _ server: SwitchModel.Server, in run: inout MatrixRun
  ) throws {
    run.add(rounds: 1)
    run.tally.expected += 1
    if let fault = try SwitchModel(server).play(history) {
      run.tally.bad += 1
      run.note = "\(history): \(fault)"
    } else {
      run.tally.got += 1
    }
  }
}
