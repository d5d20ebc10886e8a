import Foundation
import Platform
import TestSupport
import Testing

@testable import DeliveryCore

/// Q12: another user at each point of a batch's life.
extension FaultMatrix {
  private enum Change: CaseIterable {
    /// `reset()`, then another user in the same process or the next one.
    case reset
    /// The process ends during `reset()`: it has left its mark, and no more.
    case killed
    /// `identify` of another user: events of before stay those of the first one.
    case identified
  }

  /// The state of a batch of alice's when she is forgotten.
  private struct Point: Sendable {
    let name: String
    let reach: @Sendable (CoreRig) -> Void

    init(_ name: String, _ reach: @escaping @Sendable (CoreRig) -> Void) {
      (self.name, self.reach) = (name, reach)
    }

    static let all: [Point] = [
      Point("queued") { _ in },
      Point("on disk") { $0.advance(by: .milliseconds(50)) },
      Point("on its way from memory") { $0.flush() },
      Point("on its way from memory, and stored meanwhile") {
        $0.flush()
        $0.handle(.terminate(nil))
      },
      Point("on its way from disk") {
        $0.advance(by: .milliseconds(50))
        $0.flush()
      },
      Point("answered 500") {
        $0.flush()
        $0.answer(500)
      },
      Point("behind an open breaker") {
        $0.flush()
        for _ in 0..<3 {
          $0.answer(500)
          $0.advance(by: .seconds(9))
        }
      },
      Point("halved") {
        $0.flush()
        $0.answer(413)
      },
      Point("refused in part") {
        $0.flush()
        $0.answer(400)
        $0.answer(400)
      },
      Point("offline") {
        $0.handle(.networkChanged(isOnline: false))
        $0.flush()
      },
      Point("in the background") { $0.handle(.enterBackground(nil)) },
      Point("delivered, and not removed yet") {
        $0.advance(by: .milliseconds(50))
        $0.disk.state.withLock { $0.refusesRemovals = true }
        $0.flush()
        $0.answer(200)
      },
    ]
  }

  @Test func `Q12: no point of a batch's life lets one user's events go out as another's`() async throws {
    let result = try await MatrixRun.result(of: "Q12") { run in
      for point in Point.all {
        for change in Change.allCases {
          if try !Self.isKeptApart(point, change) { run.note += "\(change) while \(point.name); " }
          run.add(rounds: 1)
          run.tally.expected += 1
          if run.note.isEmpty { run.tally.got += 1 } else { run.tally.bad += 1 }
        }
      }
    }
    #expect(result == .green)
  }

  @Test func `Q12 is red without the mark of a reset`() async throws {
    let result = try await MatrixRun.result(of: "Q12", without: "the mark of a reset") { run in
      for point in Point.all where try !Self.isKeptApart(point, .killed, marks: false) { run.tally.bad += 1 }
    }
    #expect(result == .red)
  }

  private static func isKeptApart(_ point: Point, _ change: Change, marks: Bool = true) throws -> Bool {
    let rig = CoreRig()
    rig.send(.identify("alice"))
    rig.track("hers")
    let alice = rig.core.identity.anonymousID
    point.reach(rig)
    let sent = rig.requests.count
    var isApart = true
    switch change {
    case .reset:
      rig.marks.set("1", for: "metarouter:reset_pending")
      rig.handle(.reset(nil))
      rig.answer(200)
      isApart = rig.requests.count == sent && rig.core.waiting == 0 && rig.core.refusedEvents.isEmpty
    case .killed: if marks { rig.marks.set("1", for: "metarouter:reset_pending") }
    case .identified:
      rig.send(.identify("bob"))
      rig.handle(.terminate(nil))
    }
    rig.disk.state.withLock { $0.refusesRemovals = false }
    let next = CoreRig(
      disk: rig.disk, values: rig.values, marks: rig.marks, clock: rig.clock, seed: 8)
    next.track("of whoever it is")
    next.send(.identify("carol"))
    next.deliverAll()
    let events = try next.allEvents()
    let users = events.map { $0["userId"] as? String }
    isApart = isApart && next.disk.count == 0 && next.marks.all.isEmpty
    guard change != .identified else {
      let owners = Dictionary(grouping: events) { $0["event"] as? String }.mapValues { events in
        Set(events.map { $0["userId"] as? String })
      }
      return isApart && [nil, ["alice"]].contains(owners["hers"]) && owners["of whoever it is"] == ["bob"]
        && users.last == "carol"
    }
    return isApart && users == [nil, "carol"] && next.core.identity.anonymousID != alice
      && Set(events.map { $0["anonymousId"] as? String }) == [next.core.identity.anonymousID]
  }
}
