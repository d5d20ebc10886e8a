import Foundation
import MisterMetricsCore
import Platform
import Telemetry
import Testing

@Suite("The subscriber that sends averages")
struct TrackingSubscriberTests {
  /// Keeps what it gets.
  private final class Kept: TrackingService {
    private let kept = Locked<[TrackingEvent]>([])

    func track(_ event: TrackingEvent) { kept.withLock { $0.append(event) } }

    var events: [TrackingEvent] { kept.withLock { $0 } }
  }

  private func payload(
    _ version: String?, launches: TimeHistogram? = nil, hangs: TimeHistogram? = nil, isMixed: Bool = false
  ) -> MetricPayload {
    var payload = MetricPayload()
    payload.latestApplicationVersion = version
    payload.includesMultipleApplicationVersions = isMixed
    if let launches {
      payload.applicationLaunchMetrics = MetricPayload.ApplicationLaunchMetric()
      payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw = launches
    }
    if let hangs {
      payload.applicationResponsivenessMetrics = MetricPayload.ApplicationResponsivenessMetric()
      payload.applicationResponsivenessMetrics?.histogrammedApplicationHangTime = hangs
    }
    return payload
  }

  private func events(
    of payloads: [MetricPayload], version: String = "2.4", includingSimulated: Bool = false
  ) -> [TrackingEvent] {
    let service = Kept()
    TrackingSubscriber(
      applicationVersion: version, includingSimulated: includingSimulated, service: service
    ).didReceive(payloads)
    return service.events
  }

  @Test("one event for a delivery has the plain mean of the payloads' means of bin ends")
  func event() {
    // (829·3 + 1199) / 4 = 921.5 and 1009: their mean is 965.25 though one has four launches and the other one.
    let events = events(of: [
      payload(
        "2.4", launches: TimeHistogram((820, 829, 3), (1190, 1199, 1)), hangs: TimeHistogram((250, 259, 2))),
      payload("2.4", launches: TimeHistogram((1000, 1009, 1))),
      payload("2.3", launches: TimeHistogram((9000, 9009, 1))),
      payload("2.4", launches: TimeHistogram((9000, 9009, 1)), isMixed: true),
      payload(nil, launches: TimeHistogram((9000, 9009, 1))),
    ])
    #expect(
      events == [
        TrackingEvent(
          name: "metrics_received", attributes: ["first_draw_avg": 965.25, "hang_time_avg": 259],
          applicationVersion: "2.4")
      ])
  }

  @Test("what there is no average of is left out, and without any nothing is sent")
  func absent() {
    let launches = payload("2.4", launches: TimeHistogram((820, 829, 3)))
    #expect(events(of: [launches]).map(\.attributes) == [["first_draw_avg": 829]])
    let hangs = payload("2.4", hangs: TimeHistogram((300, 309, 1)))
    #expect(events(of: [hangs]).map(\.attributes) == [["hang_time_avg": 309]])
    // A histogram without a sample has an average that is no number.
    let none = payload("2.4", launches: TimeHistogram(), hangs: TimeHistogram((250, 259, 0)))
    #expect(events(of: [launches, none]).isEmpty && events(of: [none]).isEmpty)
    #expect(events(of: [launches, hangs], version: "2.5").isEmpty && events(of: []).isEmpty)
  }

  @Test("simulated payloads count only if that is asked for")
  func simulated() throws {
    var reader = PayloadReader()
    let payloads = reader.read(Data(PayloadSamples.simulated.utf8)).payloads.compactMap { payload in
      if case .metric(let payload) = payload { payload } else { nil }
    }
    #expect(events(of: payloads).isEmpty)
    let averages = try #require(events(of: payloads, includingSimulated: true).first?.attributes)
    #expect(rounded(averages["first_draw_avg"]) == 1867.143 && rounded(averages["hang_time_avg"]) == 357.143)
  }

  @Test("a metric store gets an entry for each event")
  func store() async throws {
    let store = MetricMemoryStore()
    let metric: Metric<TrackingEvent> = StoreTracking.bucket.metric("metrics_received")
    var updates = store.updates(of: metric).makeAsyncIterator()
    let subscriber = TrackingSubscriber(applicationVersion: "2.4", service: StoreTracking(in: store.erased))
    subscriber.didReceive([payload("2.4", launches: TimeHistogram((820, 829, 3)))])
    subscriber.didReceive([payload("2.3", launches: TimeHistogram((820, 829, 3)))])
    subscriber.didReceive([payload("2.4", hangs: TimeHistogram((300, 309, 1)))])
    #expect(await updates.next()?.value.attributes == ["first_draw_avg": 829])
    #expect(await updates.next()?.value.attributes == ["hang_time_avg": 309])
    let entry = try #require(try await store.retrieveAll(from: .distantPast, until: .distantFuture).first)
    #expect(
      String(decoding: entry.value, as: UTF8.self)
        == #"{"applicationVersion":"2.4","attributes":{"first_draw_avg":829},"name":"metrics_received"}"#)
  }
}
