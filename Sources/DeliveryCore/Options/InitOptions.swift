import Codecs
public import Essentials
public import MisterMetricsCore

/// The options a client is set up with.
///
/// Nothing is checked here: ``validate()`` says what is wrong, and a client with invalid options refuses to begin.
///
/// ```swift
/// let options = InitOptions(writeKey: "…", ingestionHost: "https://events.example.com", flushIntervalSeconds: 30)
/// ```
public struct InitOptions: Sendable {
  /// The key of the source, which the endpoint knows; required.
  public let writeKey: String
  /// Where events go, without `/v1/batch` and without slashes at its end; required.
  public let ingestionHost: String
  /// True if debug lines are logged.
  public let debug: Bool
  /// Seconds between two flushes, at least 1.
  public let flushIntervalSeconds: Int
  /// Events kept in memory, at least 1.
  public let maxQueueEvents: Int
  /// Events kept on disk; 0 means that nothing is ever written.
  public let maxDiskEvents: Int
  /// True if `Application Installed`, `Updated`, `Opened` and `Backgrounded` are sent.
  public let trackLifecycleEvents: Bool

  /// The name before the keys of the stored identity.
  public var storageNamespace = "metarouter"
  /// Calls that are kept before the client is ready, at least 1; then the oldest is dropped.
  public var maxBufferedCalls = defaultBufferedCalls
  /// Events in memory that are moved to disk, at least 1.
  public var diskFlushEvents = 500
  /// True if bodies are compressed by gzip; the endpoint has to allow it.
  public var compressesBodies = false
  /// The folder for the events on disk and the identity, instead of the system's place for the data of programs.
  public var dataFolder: URL?
  /// The monitor of the network; without one the network always counts as available.
  public var networkMonitor: (any NetworkMonitor)?
  /// The transport that posts instead of the system's way.
  public var transport: (any DeliveryTransport)?
  /// Where the client records what it does, in the bucket `delivery`.
  public var metrics: AnyMetricStore?
  /// Called when options are refused, when the endpoint refuses the client, and when the disk fails.
  public var onError: (@Sendable (DeliveryError) -> Void)?

  /// Options with a host given as text: spaces around it and slashes at its end do not count.
  public init(
    writeKey: String, ingestionHost: String, debug: Bool = false, flushIntervalSeconds: Int = 10,
    maxQueueEvents: Int = 2000, maxDiskEvents: Int = 10_000, trackLifecycleEvents: Bool = false
  ) {
    let host = ingestionHost.trimmed
    self.init(
      writeKey: writeKey, host: String(host.reversed().drop { $0 == "/" }.reversed()), debug: debug,
      flushIntervalSeconds: flushIntervalSeconds, maxQueueEvents: maxQueueEvents,
      maxDiskEvents: maxDiskEvents, trackLifecycleEvents: trackLifecycleEvents)
  }

  /// Options with a host given as URL, which is taken as it is.
  public init(
    writeKey: String, ingestionHost: URL, debug: Bool = false, flushIntervalSeconds: Int = 10,
    maxQueueEvents: Int = 2000, maxDiskEvents: Int = 10_000, trackLifecycleEvents: Bool = false
  ) {
    self.init(
      writeKey: writeKey, host: ingestionHost.absoluteString, debug: debug,
      flushIntervalSeconds: flushIntervalSeconds, maxQueueEvents: maxQueueEvents,
      maxDiskEvents: maxDiskEvents, trackLifecycleEvents: trackLifecycleEvents)
  }

  private init(
    writeKey: String, host: String, debug: Bool, flushIntervalSeconds: Int, maxQueueEvents: Int,
    maxDiskEvents: Int, trackLifecycleEvents: Bool
  ) {
    self.writeKey = writeKey
    ingestionHost = host
    self.debug = debug
    self.flushIntervalSeconds = max(1, flushIntervalSeconds)
    self.maxQueueEvents = max(1, maxQueueEvents)
    self.maxDiskEvents = maxDiskEvents
    self.trackLifecycleEvents = trackLifecycleEvents
    clampedQueue = maxQueueEvents < 1
  }

  /// Calls that are kept where no one said how many.
  static let defaultBufferedCalls = 2000

  /// True if the number of events in memory was moved up to 1.
  private let clampedQueue: Bool

  /// Says what is wrong with these options.
  ///
  /// - Throws: ``DeliveryError`` with one of the first three codes.
  public func validate() throws(DeliveryError) {
    guard !writeKey.allSatisfy(\.isWhitespace) else {
      throw DeliveryError(.blankWriteKey, "The write key is blank: pass the key of your source.")
    }
    guard endpoint != nil else {
      throw DeliveryError(
        .invalidHost,
        """
        The ingestion host is no absolute http or https URL with a host name, such as https://events.example.com, \
        and without user, password, query and fragment.
        """
      )
    }
    guard maxDiskEvents >= 0 else {
      throw DeliveryError(
        .negativeDiskEvents,
        "maxDiskEvents is negative: pass 0 to keep nothing on disk, or a positive number.")
    }
  }

  /// Where batches are posted; `nil` if the host is invalid.
  public var endpoint: URL? {
    guard let parts = URLComponents(string: ingestionHost), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty,
      // A password would show in debug information and records.
      parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
      (1...65535).contains(parts.port ?? 443)
    else { return nil }
    let base = String(ingestionHost.reversed().drop { $0 == "/" }.reversed())
    return URL(string: base + "/v1/batch")
  }

  /// Oddities of valid options, in sentences for the log.
  package var warnings: [String] {
    var warnings: [String] = []
    if clampedQueue { warnings.append("maxQueueEvents is below 1: one event is kept in memory.") }
    if maxDiskEvents > 0, maxDiskEvents < maxQueueEvents {
      warnings.append(
        "maxDiskEvents is below maxQueueEvents: events that are moved to disk may be dropped there.")
    }
    if let url = endpoint, url.scheme?.lowercased() == "http", !LoopbackHost.contains(url.host ?? "") {
      warnings.append(
        "The ingestion host is not encrypted: anyone on the way can read the events. Use https.")
    }
    return warnings
  }
}

/// Names of this machine.
enum LoopbackHost {
  static func contains(_ host: String) -> Bool {
    let name = host.lowercased().trimmed { $0 == "[" || $0 == "]" }
    if name == "localhost" || name.hasSuffix(".localhost") || name == "::1" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
