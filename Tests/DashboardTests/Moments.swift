import Aggregation
import Platform

@testable import DashboardCore
@testable import EngineScreens

// Moments of tests: seconds where a test counts from nothing.
extension SeriesStore {
  mutating func record(_ id: SeriesID, time: Timestamp, value: SeriesValue) {
    record(id, time: time.seconds, value: value)
  }
}

extension SyncLog {
  func state(of branch: Int = 0, at seconds: Double) -> EngineState {
    state(of: branch, at: Timestamp(seconds))
  }
}
