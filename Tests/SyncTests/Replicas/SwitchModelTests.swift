import TestSupport
import Testing

/// Two devices that set and unset one switch, against a server that loses answers: every order of three edits and two
/// reads of the feed, with one failure.
@Suite("One switch in every order")
struct SwitchModelTests {
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

  @Test(arguments: [true, false], [true, false])
  func `Replicas agree and the last edit is there`(hasVersions: Bool, hasKeys: Bool) throws {
    let histories = Self.histories()
    var faults: [String] = []
    for place in stride(from: 0, to: histories.count, by: trials(23, long: 1)) {
      let fault = try SwitchModel(.init(hasVersions: hasVersions, hasKeys: hasKeys)).play(histories[place])
      if let fault { faults.append("\(histories[place]): \(fault)") }
    }
    #expect(
      faults.isEmpty, "\(faults.count) of \(histories.count): \(faults.prefix(5).joined(separator: "\n"))")
  }
}
