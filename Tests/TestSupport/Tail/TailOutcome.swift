package import JSONLines

/// Everything that tails have delivered, with the bytes as lines.
package struct TailOutcome {
  package private(set) var lines: [String] = []
  package private(set) var gaps: [TailGap] = []
  package private(set) var restarts: [TailRestart.Reason] = []
  package private(set) var states: [TailState] = []
  package private(set) var earlier: [EarlierBytes] = []
  package private(set) var polled: [PollReason] = []
  private var half: [Int: [UInt8]] = [:]

  mutating func take(_ member: TailMember, _ output: TailOutput) {
    switch output {
    case .bytes(let bytes, _):
      var waiting = half.removeValue(forKey: member.index) ?? []
      lines += LineSplitter.take(bytes, after: &waiting)
      half[member.index] = waiting
    case .restarted(let restart):
      restarts.append(restart.reason)
      half[member.index] = []
    case .gap(let gap): gaps.append(gap)
    case .state(let state): states.append(state)
    case .earlier(let bytes): earlier.append(bytes)
    case .polled(let reason, _): polled.append(reason)
    }
  }
}
