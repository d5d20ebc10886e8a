/// Sends events over UDP to an agent that understands DogStatsD, as those of Datadog, Telegraf and Vector do.
///
/// ```swift
/// let service = DogStatsDTracking(host: "127.0.0.1", tags: ["env:production"])
/// let subscriber = TrackingSubscriber(applicationVersion: "2.4", service: service)
/// ```
///
/// Every attribute becomes a gauge, `metrics_received.first_draw_avg:412.3|g|#env:production,version:2.4`, and the event
/// itself an event of Datadog. Nothing here waits: names are looked up and datagrams sent on a queue of its own. UDP
/// promises nothing; what the system says of the fate of datagrams is in ``counts``. A program that ends soon calls
/// ``flush()`` first.
public final class DogStatsDTracking: TrackingService {
  /// Parts of an event that are sent.
  public struct Contents: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// A choice by its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A gauge for each attribute.
    public static let gauges = Contents(rawValue: 1)
    /// The event, with its attributes as text; not all agents but Datadog's take it.
    public static let event = Contents(rawValue: 2)
  }

  /// Counts of datagrams.
  public struct Counts: Hashable, Sendable {
    /// How many the system took and heard no complaint of.
    public internal(set) var sent = 0
    /// The number known to be lost: the host is unknown, no process listens there, a buffer or the queue is full, or a
    /// line is too long for a datagram.
    public internal(set) var failed = 0
  }

  private let lines: DogStatsDLines
  private let transport: DatagramTransport

  /// A service that sends.
  ///
  /// - Parameters:
  ///   - host: The name or the address of the agent's host, IPv4 or IPv6.
  ///   - port: Its port.
  ///   - tags: Tags of everything that is sent: `env:production`. Signs that Datadog does not keep become `_`.
  ///   - contents: What is sent of an event.
  public convenience init(
    host: String, port: UInt16 = 8125, tags: [String] = [], contents: Contents = [.gauges, .event]
  ) {
    self.init(tags: tags, contents: contents, transport: DatagramTransport(host: host, port: port))
  }

  init(tags: [String], contents: Contents, transport: DatagramTransport) {
    lines = DogStatsDLines(contents: contents, tags: tags)
    self.transport = transport
  }

  /// Counts of all datagrams so far.
  public var counts: Counts { transport.counts }

  /// Sends the event, soon.
  public func track(_ event: TrackingEvent) {
    let (lines, omitted) = lines.lines(of: event)
    transport.send(DogStatsDLines.datagrams(of: lines), unsendable: omitted)
  }

  /// Returns when all that was tracked before was sent or abandoned, which is bounded by the look-up of the host.
  public func flush() async {
    await transport.flush()
  }
}
