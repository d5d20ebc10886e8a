import Essentials

extension MetricPayload {
  /// A payload with made-up figures for a day long ago, recognized by ``isSimulated``.
  static var simulated: MetricPayload {
    var payload = MetricPayload()
    payload.latestApplicationVersion = "1.0"
    (payload.timeStampBegin, payload.timeStampEnd) =
      (PayloadTime("2020-01-01 00:00:00"), PayloadTime("2020-01-01 23:59:00"))
    var running = ApplicationTimeMetric()
    running.cumulativeForegroundTimeQuantity = Quantity(value: 700, unit: .seconds)
    running.cumulativeBackgroundTimeQuantity = Quantity(value: 40, unit: .seconds)
    payload.applicationTimeMetrics = running
    var launches = ApplicationLaunchMetric()
    launches.histogrammedTimeToFirstDraw = TimeHistogram([
      .init(start: 1000, end: 1010, count: 50), .init(start: 2000, end: 2010, count: 60),
    ])
    payload.applicationLaunchMetrics = launches
    var hangs = ApplicationResponsivenessMetric()
    hangs.histogrammedApplicationHangTime = TimeHistogram([
      .init(start: 0, end: 100, count: 50), .init(start: 100, end: 400, count: 60),
    ])
    payload.applicationResponsivenessMetrics = hangs
    payload.signpostMetrics = [1, 2].map { number in
      var metric = SignpostMetric()
      metric.signpostName = "TestSignpostName\(number)"
      metric.signpostCategory = "TestSignpostCategory\(number)"
      metric.totalCount = number * 20
      return metric
    }
    return payload
  }
}

extension DiagnosticPayload {
  /// A made-up crash on a day long ago, recognized by ``isSimulated``.
  static var simulated: DiagnosticPayload {
    var frame = CallStackFrame()
    frame.binaryName = "testBinaryName"
    frame.address = 74_565
    frame.offsetIntoBinaryTextSegment = 123
    frame.sampleCount = 20
    var stack = CallStack()
    stack.threadAttributed = true
    stack.callStackRootFrames = [frame]
    var tree = CallStackTree()
    tree.callStackPerThread = true
    tree.callStacks = [stack]
    var crash = CrashDiagnostic(CrashDetails())
    crash.version = "1.0.0"
    crash.applicationVersion = "1.0"
    crash.callStackTree = tree
    crash.signal = 11
    crash.exceptionType = 1
    var payload = DiagnosticPayload()
    (payload.timeStampBegin, payload.timeStampEnd) =
      (PayloadTime("2020-01-01 00:00:00"), PayloadTime("2020-01-01 00:00:00"))
    payload.crashDiagnostics = [crash]
    return payload
  }
}
