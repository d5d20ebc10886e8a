/// Makes the handlers of measurements.
public protocol MetricsFactory: Sendable {
  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler
  func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler
  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler
  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler
  func destroyCounter(_ handler: any CounterHandler)
  func destroyMeter(_ handler: any MeterHandler)
  func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler)
  func destroyRecorder(_ handler: any RecorderHandler)
  func destroyTimer(_ handler: any TimerHandler)
}

/// Counts events.
public protocol CounterHandler: AnyObject, Sendable {
  func increment(by: Int64)
  func reset()
}

/// Counts amounts.
public protocol FloatingPointCounterHandler: AnyObject, Sendable {
  func increment(by: Double)
  func reset()
}

/// Records values.
public protocol RecorderHandler: AnyObject, Sendable {
  func record(_ value: Int64)
  func record(_ value: Double)
}

/// Follows a level.
public protocol MeterHandler: AnyObject, Sendable {
  func set(_ value: Int64)
  func set(_ value: Double)
  func increment(by: Double)
  func decrement(by: Double)
}

/// Records durations.
public protocol TimerHandler: AnyObject, Sendable {
  func recordNanoseconds(_ duration: Int64)
}
