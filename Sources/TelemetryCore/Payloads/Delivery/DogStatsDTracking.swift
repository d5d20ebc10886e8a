/// Sends events over UDP to an agent that speaks DogStatsD, such as Datadog's, Telegraf or Vector.
///
/// ```swift
/// let service = DogStatsDTracking(host: "127.0.0.1", tags: ["env:production"])
/// let subscriber = TrackingSubscriber(applicationVersion: "2.4", service: service)
/// ```
///
/// Every attribute becomes a gauge, `metrics_received.first_draw_avg:412.3|g|#env:production,version:2.4`, and the
/// event itself becomes a Datadog event. No call blocks: name lookups and sends run on a separate queue. UDP does not
/// guarantee delivery; ``counts`` has the outcomes that the system reports. A program that is about to exit calls
/// ``flush()`` first.
public final class DogStatsDTracking: TrackingService {
  /// Parts of an event that are sent.
  public struct Contents: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// The contents with these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A gauge for each attribute.
    public static let gauges = Contents(rawValue: 1)
    /// The event, with its attributes as text; only Datadog's agent is sure to accept it.
    public static let event = Contents(rawValue: 2)
  }

  /// Counts of datagrams.
  public struct Counts: Hashable, Sendable {
    /// Number of datagrams accepted by the system without a reported error.
    public internal(set) var sent = 0
    /// Number of datagrams known to be lost: the host is unknown, no process listens there, a buffer or the queue is
    /// full, or a line is too long for a datagram.
    public internal(set) var failed = 0
  }

  private let lines: DogStatsDLines
  private let transport: DatagramTransport

  /// Creates a service that sends to an agent.
  ///
  /// - Parameters:
  ///   - host: The name or the address of the agent's host, IPv4 or IPv6.
  ///   - port: Its port.
  ///   - tags: Tags added to everything, such as `env:production`. Characters that Datadog does not keep become `_`.
  ///   - contents: The parts of an event to send.
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

  /// Enqueues the event for sending.
  public func track(_ event: TrackingEvent) {
    let (lines, omitted) = lines.lines(of: event)
    transport.send(DogStatsDLines.datagrams(of: lines), unsendable: omitted)
  }

  /// Returns once everything tracked before has been sent or abandoned; bounded by the name lookup of the host.
  public func flush() async {
    await transport.flush()
  }
}
