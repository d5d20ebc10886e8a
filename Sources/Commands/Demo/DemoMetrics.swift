import MisterMetricsCore

/// The metrics of the sample app.
enum DemoMetrics {
  static let net = Bucket("net")
  static let requestTime = net.doubleMetric("request_ms")
  static let responseSize = net.intMetric("response_bytes")
  static let status = net.intMetric("status")
  static let cacheHit = net.boolMetric("cache_hit")
  static let inFlight = net.intMetric("in_flight_count")
  static let failure = net.stringMetric("failure")
  static let breaker = net.stringMetric("breaker")
  static let upload: Metric<DemoUpload> = net.metric("upload")

  static let api = Bucket("api")
  static let checkout: Metric<DemoRequest> = api.metric("checkout")
  static let searchTime = api.doubleMetric("search_ms")

  static let queueDepth = Bucket("queue").intMetric("depth")

  static let db = Bucket("db")
  static let orderTime = db.doubleMetric("orders_ms")
  static let queryTime = db.doubleMetric("query_ms")
  static let rows = db.intMetric("rows_count")
  static let writeTime = db.doubleMetric("write_ms")
  static let size = db.intMetric("size_bytes")
  static let slowQuery = db.stringMetric("slow_query")

  static let ui = Bucket("ui")
  static let frameTime = ui.doubleMetric("frame_ms")
  static let droppedFrames = ui.intMetric("dropped_frames_count")
  static let screen = ui.stringMetric("screen")
  static let hitch = ui.doubleMetric("scroll_hitch_ms")

  static let mem = Bucket("mem")
  static let footprint = mem.intMetric("footprint_bytes")
  static let pressure = mem.stringMetric("pressure")

  static let launch = Bucket("launch")
  static let coldStart = launch.doubleMetric("cold_start_ms")
  static let warmStart = launch.doubleMetric("warm_start_ms")
  static let breakdown: Metric<DemoStartup> = launch.metric("breakdown")

  static let auth = Bucket("auth")
  static let refreshTime = auth.doubleMetric("token_refresh_ms")
  static let signedIn = auth.boolMetric("signed_in")
  static let authFailure = auth.stringMetric("failure")

  static let battery = Metric<Double>(name: "battery_percent")
  static let buildNumber = Metric<Int>(name: "build_number")
}

/// A request to the shop's API.
struct DemoRequest: MetricValue {
  let ms: Double
  let network: String
  /// The version of the app.
  let version: String
}

/// The durations and the outcome of an upload.
struct DemoUpload: MetricValue {
  let totalMs: Double
  let network: String
  let outcome: String
  /// The version of the app.
  let version: String

  private enum CodingKeys: String, CodingKey {
    case totalMs = "total_ms"
    case network, outcome, version
  }
}

/// The durations of the phases of an app launch.
struct DemoStartup: MetricValue {
  let totalMs: Double
  let databaseOpenMs: Double
  let languageSetupMs: Double
  let firstFrameMs: Double
}
