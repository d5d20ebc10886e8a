import Codecs
public import Essentials
public import MisterMetricsCore

/// The options of a client.
///
/// Nothing is checked here: ``validate()`` finds errors, and a client with invalid options refuses to start.
///
/// ```swift
/// let options = InitOptions(writeKey: "…", ingestionHost: "https://events.example.com", flushIntervalSeconds: 30)
/// ```
public struct InitOptions: Sendable {
  /// The write key of the source, known to the endpoint; required.
  public let writeKey: String
  /// The URL that events are sent to, without `/v1/batch` and without trailing slashes; required.
  public let ingestionHost: String
  /// True to log debug lines.
  public let debug: Bool
  /// Seconds between flushes, at least 1.
  public let flushIntervalSeconds: Int
  /// Maximum events in memory, at least 1.
  public let maxQueueEvents: Int
  /// Maximum events on disk; 0 disables writes.
  public let maxDiskEvents: Int
  /// True to send `Application Installed`, `Updated`, `Opened` and `Backgrounded`.
  public let trackLifecycleEvents: Bool

  /// The prefix for the keys of the stored identity.
  public var storageNamespace = "metarouter"
  /// Maximum calls buffered until the client is ready, at least 1; beyond it, the oldest is dropped.
  public var maxBufferedCalls = defaultBufferedCalls
  /// Number of events in memory that triggers a move to disk, at least 1.
  public var diskFlushEvents = 500
  /// The time until an event is on disk too: a process killed later than that does not lose it.
  public var keepDelay = Duration.milliseconds(50)
  /// True to compress bodies with gzip; the endpoint must support it.
  public var compressesBodies = false
  /// The folder for events and identity, instead of the system's data directory.
  public var dataFolder: URL?
  /// The network monitor; without one, the network always counts as available.
  public var networkMonitor: (any NetworkMonitor)?
  /// The transport that posts batches, instead of the system's.
  public var transport: (any DeliveryTransport)?
  /// The metric store for the client's records, in the bucket `delivery`.
  public var metrics: AnyMetricStore?
  /// Changes each event before it is queued, or vetoes it by returning `nil`; vetoed events are counted and not kept.
  ///
  /// Called in the order of the events, from a thread of the client, which it must not block. A vetoed `identify`,
  /// `group` or `alias` leaves the identity as it is.
  public var enrich: (@Sendable (OutgoingEvent) -> OutgoingEvent?)?
  /// Called if options are refused, if the endpoint refuses the client, if the disk fails, and if another client uses the
  /// folder.
  public var onError: (@Sendable (DeliveryError) -> Void)?

  /// Creates options with a host as a string; surrounding spaces and trailing slashes are removed.
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

  /// Creates options with a host as a URL, which is used unchanged.
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

  /// Default maximum of buffered calls.
  static let defaultBufferedCalls = 10_000

  /// True if the maximum of events in memory was raised to 1.
  private let clampedQueue: Bool

  /// Checks these options.
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

  /// The URL for batches; `nil` if the host is invalid.
  public var endpoint: URL? {
    guard let parts = URLComponents(string: ingestionHost), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty,
      // A password would appear in debug information and records.
      parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
      (1...65535).contains(parts.port ?? 443)
    else { return nil }
    let base = String(ingestionHost.reversed().drop { $0 == "/" }.reversed())
    return URL(string: base + "/v1/batch")
  }

  /// Peculiarities of valid options, as sentences for the log.
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

/// Host names of this machine.
enum LoopbackHost {
  static func contains(_ host: String) -> Bool {
    let name = host.lowercased().trimmed { $0 == "[" || $0 == "]" }
    if name == "localhost" || name.hasSuffix(".localhost") || name == "::1" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
