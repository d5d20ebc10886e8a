import Platform
import TestSupport
import Testing

@testable import Sync

/// S6: a server that refuses a whole request for the sake of some changes in it.
extension FaultMatrix {
  /// The server's verdict on a batch with a bad change in it.
  private enum Refusal {
    /// The status of the whole request, without a word about single changes.
    case ofRequest(Int)
    /// A failure for each change in it, the good ones too.
    case ofEach(Int)
  }

  @Test func `S6: a batch that is refused loses only what is bad in it, which keeps the server's words`()
    async throws
  {
    let result = try await MatrixRun.result(of: "S6") { run in
      for status in [400, 422] {
        for bad in 0..<64 { try Self.push(6, bad: Self.places(bad), .ofRequest(status), in: &run) }
        var generator = SeededGenerator(seed: run.seed)
        for size in [7, 20, 50] {
          for count in [1, 2, size / 2, size] {
            let bad = Set((0..<size).shuffled(using: &generator).prefix(count))
            try Self.push(size, bad: bad, .ofRequest(status), in: &run)
          }
        }
      }
    }
    #expect(result == .green)
  }

  @Test func `S6 is red without halves that are sent by themselves`() async throws {
    let result = try await MatrixRun.result(of: "S6", without: "halves that are sent by themselves") { run in
      try Self.push(6, bad: [3], .ofEach(400), in: &run)
    }
    #expect(result == .red)
  }

  /// The places of the bits that are set.
  private static func places(_ bits: Int) -> Set<Int> { Set((0..<6).filter { bits >> $0 & 1 == 1 }) }

  private static func push(
    _ size: Int, bad: Set<Int>, _ refusal: Refusal, in run: inout MatrixRun
  ) throws {
    run.add(rounds: 1)
    let (rig, server) = try EngineRig.wrapped()
    let names = Set(bad.map { "e\($0)" })
    let words = "no event of this name"
    server.set {
      $0.refusal = { items in
        guard case .ofRequest(let status) = refusal, items.contains(where: { names.contains($0.entity.id) })
        else { return nil }
        return SyncError(.http, status: status, detail: words)
      }
    }
    for number in 0..<size { try rig.queue(.create, "event", "e\(number)") }
    if case .ofEach(let status) = refusal {
      let failures = (0..<size).map {
        BatchAnswer.Failure(position: $0, code: "", message: words, status: status)
      }
      rig.server.set { $0.batches = Array(repeating: BatchAnswer(failures: failures), count: 100) }
    }
    var runs = 0
    while try rig.pending > 0, runs < 200 {
      try rig.sync()
      rig.advance(by: .seconds(4000))
      runs += 1
    }
    try tally(rig, size, names, words, into: &run.tally)
  }

  private static func tally(
    _ rig: EngineRig, _ size: Int, _ bad: Set<String>, _ words: String, into tally: inout MatrixRun.Tally
  ) throws {
    let accepted = rig.server.taken.map(\.id)
    let letters = try rig.run { try await $0.deadLetters() }
    for number in 0..<size {
      let name = "e\(number)"
      let count = accepted.count { $0 == name }
      let isSetAside = letters.contains { $0.entity.id == name && $0.lastError?.contains(words) == true }
      tally.expected += 1
      tally.got += bad.contains(name) == isSetAside && bad.contains(name) == (count == 0) ? 1 : 0
      tally.duplicated += max(0, count - 1)
      if !bad.contains(name), count == 0 { tally.lost += 1 }
    }
    tally.bad += try rig.pending > 0 || letters.count != bad.count ? 1 : 0
    tally.bad += tally.got == tally.expected ? 0 : 1
  }
}
