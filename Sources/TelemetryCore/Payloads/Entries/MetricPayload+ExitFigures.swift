extension MetricPayload.ForegroundExitData {
  func add(to list: inout FigureList) {
    for exit in ForegroundExit.allCases {
      list.add(
        "applicationExitMetrics.foregroundExitData.\(exit.reason.counterName)", count: self[exit])
    }
  }
}

extension MetricPayload.BackgroundExitData {
  func add(to list: inout FigureList) {
    for reason in ExitReason.allCases {
      list.add("applicationExitMetrics.backgroundExitData.\(reason.counterName)", count: self[reason])
    }
  }
}
