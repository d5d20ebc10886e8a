import Aggregation
import History
import TelemetryCore
import TerminalUI

@testable import DashboardCore
@testable import PayloadsScreen

/// The overview of made-up payloads.
enum OverviewFixture {
  static let archive = {
    var archive = PayloadFixture.archive(PayloadFixture.days(60))
    archive.diagnostics = PayloadFixture.diagnostics()
    return archive
  }()

  static let key = OverviewSummary.Key(
    payloads: ValueVersion(), a: SampleCube.Choice(labels: ["version": "2.4.1"]),
    b: SampleCube.Choice(labels: ["version": "2.4.0"]), names: ["2.4.1", "2.4.0"])

  static func rows(_ width: Int, _ height: Int) -> Int {
    let frame = ScreenFrame(size: Size(width: width, height: height))
    return OverviewLayout(frame.body, frame.step, sides: 2).rows
  }

  static func refresh(
    _ state: inout OverviewState, _ width: Int, _ height: Int, _ archive: PayloadArchive = archive,
    key: OverviewSummary.Key = key
  ) {
    while let work = state.refresh(archive, key: key, rows: rows(width, height)) { state.adopt(work.run()) }
  }

  static func state(_ width: Int, _ height: Int) -> OverviewState {
    var state = reckoned
    refresh(&state, width, height)
    return state
  }

  /// Reckoned once for all tests.
  private static let reckoned = {
    var state = OverviewState()
    refresh(&state, 120, 36)
    return state
  }()

  /// The hangs of the newer version are open.
  static func atStacks(_ width: Int, _ height: Int) -> OverviewState {
    var state = state(width, height)
    for kind in ["crashDiagnostics", "hangDiagnostics"] {
      let group = state.content.lines.first {
        if case .family(let id) = $0.id { id.signature.kind.hasPrefix(kind) } else { false }
      }
      if let group { _ = state.fold(group) }
      refresh(&state, width, height)
    }
    state.move(by: 3)
    refresh(&state, width, height)
    return state
  }
}
