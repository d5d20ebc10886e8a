import DeliverySimulation
import Foundation
import JSONLines
import MisterMetricsCore
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import DashboardCore
@testable import EngineScreens

@Suite("The picture of a delivery client")
struct DeliveryPictureTests {
  init() { adoptUTF8() }

  /// A moment of a scenario, in seconds after its start, for each state that has a sentence of its own.
  private static let scenes: [(String, String, Double)] = [
    ("healthy", "ordinary-evening", 65), ("open", "endpoint-outage", 75), ("asked", "come-back-later", 40),
    ("offline", "tunnel", 80), ("halved", "oversized-batches", 30), ("disabled", "revoked-key", 51),
    ("killed", "killed-offline", 15),
  ]

  @Test("pictures of each state at the five sizes", arguments: scenes)
  func pictures(label: String, name: String, seconds: Double) throws {
    for (width, height) in LivePictureTests.sizes {
      let frame = view(try DeliveryFixture.model(width, height, name, after: seconds))
      try expectGolden(
        frame.buffer.lines.map { $0 + "\n" }.joined(), "delivery-\(label)-\(width)x\(height)")
    }
  }

  @Test("with colour, each look as a letter, at the five sizes; in ASCII")
  func looks() throws {
    for (width, height) in LivePictureTests.sizes {
      let frame = view(
        try DeliveryFixture.model(width, height, "endpoint-outage", after: 75, depth: .trueColor))
      try expectGolden(frame.buffer.styledPicture, "delivery-open-\(width)x\(height)-colour")
    }
    let ascii = try DeliveryFixture.model(120, 36, "endpoint-outage", after: 75, glyphs: .ascii)
    try expectGolden(view(ascii).buffer.lines.map { $0 + "\n" }.joined(), "delivery-120x36-ascii")
  }

  @Test("pictures of a client that this program plays, at the five sizes")
  func driven() throws {
    for (width, height) in LivePictureTests.sizes {
      let model = try DeliveryFixture.model(width, height, "endpoint-outage", after: 75, isDriven: true)
      try expectGolden(
        view(model).buffer.lines.map { $0 + "\n" }.joined(), "delivery-driven-\(width)x\(height)")
    }
  }

  @Test("pictures of an opened batch at the five sizes")
  func opened() throws {
    for (width, height) in LivePictureTests.sizes {
      var model = try DeliveryFixture.model(width, height, "endpoint-outage", after: 75)
      for key in [KeyPress("["), KeyPress(.enter)] { _ = update(&model, .input(.key(key))) }
      try expectGolden(
        view(model).buffer.lines.map { $0 + "\n" }.joined(), "delivery-opened-\(width)x\(height)")
    }
  }

  @Test(
    "the screen of a file that ends at a moment is that of the playhead at it, cell for cell",
    arguments: DeliveryFixture.stories)
  func playhead(name: String) throws {
    let entries = try DeliveryFixture.entries(name)
    let whole = try SyncFixture.feed(entries)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<trials(2, long: 8) {
      let moment = entries[Int.random(in: 0..<entries.count, using: &generator)].timestamp
      let part = try SyncFixture.feed(entries.filter { $0.timestamp <= moment })
      var travelling = DeliveryFixture.model(120, 36, depth: .trueColor, feed: whole)
      travelling.session.movePlayhead(to: Timestamp(moment))
      _ = update(&travelling, [])
      let ended = DeliveryFixture.model(120, 36, depth: .trueColor, feed: part)
      #expect(travelling.delivery.engine == ended.delivery.engine)
      // Header, rail and footer say where the playhead stands: only the screen itself is compared.
      let (there, alone) = (view(travelling).buffer, view(ended).buffer)
      #expect(there.lines[1...33] == alone.lines[1...33])
      #expect(body(there) == body(alone))
    }
  }

  /// The cells of the screen itself, signs and looks.
  private func body(_ buffer: Buffer) -> ArraySlice<Cell> { buffer.cells[120..<34 * 120] }

  @Test("the whole sentence stands at the top of every size, and nothing is cut")
  func everySize() throws {
    for (name, seconds) in [("endpoint-outage", 75.0), ("revoked-key", 51), ("tunnel", 80)] {
      let scenario = try DeliveryFixture.scenario(name)
      let feed = try SyncFixture.feed(
        DeliveryFixture.entries(of: scenario).filter {
          $0.timestamp <= scenario.start.addingTimeInterval(seconds)
        })
      var model = DeliveryFixture.model(20, 5, feed: feed)
      for width in stride(from: 20, through: 240, by: 22) {
        for height in stride(from: 5, through: 80, by: 25) {
          _ = update(&model, .input(.resize(Size(width: width, height: height))))
          let lines = view(model).buffer.lines
          #expect(lines.count == height)
          #expect(lines.joined().contains("?"))
          let words = model.deliveryScreen.texts.sentence.joined().filter { $0 != " " }
          // The way to the help stands at the end of the first row where there is no header.
          let shown = lines.prefix(model.deliveryScreen.layout[.sentence].maxY).joined().filter {
            $0 != " " && $0 != "?" && $0 != "▌"
          }
          #expect(shown.hasSuffix(words), "\(width)x\(height)")
          #expect(
            model.deliveryScreen.sentence.wordings.contains {
              $0.filter { $0 != " " } == words
            })
        }
      }
    }
  }

  @Test("a file without a client says so and what to do")
  func empty() throws {
    let picture = view(DeliveryFixture.model(80, 24, feed: LiveFixture.shared)).buffer.lines.joined(
      separator: "\n")
    #expect(picture.contains("No delivery client in this file"))
    #expect(picture.contains("mistertop simulate --delivery"))
  }

  @Test("a value that is not what its metric promises is counted, and numbers without sense do no harm")
  func hostile() {
    func raw(_ name: String, _ json: String, at time: Double) -> RawEngineEntry {
      RawEngineEntry(
        time: Timestamp(time), metric: MetricIdentity(bucket: "delivery", name: name, typeName: "Any"),
        json: Array(json.utf8))
    }
    let step = #""branch":0,"step":-1,"engineTime":1e300,"by":"rule""#
    let huge = Int.max
    let entries = [
      raw("batch", "{}", at: 1), raw("wizard", "1", at: 2),
      raw(
        "queue",
        "{\"memory\":\(huge),\"memoryBytes\":\(Int.min),\"disk\":\(huge),\"inFlight\":\(huge),\"oldestAt\":-1e308,"
          + "\"nextAt\":1e308,\"nextCause\":\"\\u001b[31m\",\(step),\"cause\":\"\"}", at: 3),
      raw(
        "batch",
        "{\"sequence\":\(Int.min),\"size\":\(huge),\"attempt\":\(huge),\"status\":-7,\"latencyMs\":1e308,"
          + "\"maxBatchSize\":\(huge),\"retryAfter\":-1e308,\"source\":\"\\u001b]0;x\",\"bytes\":\(Int.min),"
          + "\"first\":\"\\u0007\",\"last\":\"\",\(step),\"cause\":\"\\n\"}", at: 4),
      raw("drop", "{\"cause\":\"\\u001b\",\"count\":\(huge),\(step)}", at: 5),
      raw("drop", "{\"cause\":\"\\u001b\",\"count\":\(huge),\(step)}", at: 6),
      raw(
        "breaker",
        "{\"state\":\"open\",\"failures\":\(huge),\"growth\":\(huge),\"until\":1e308,\(step),\"cause\":\"\"}",
        at: -1e12),
      raw(
        "lifecycle",
        "{\"from\":\"x\",\"to\":\"\\u001b\",\"event\":\"y\",\"refused\":false,\"network\":\"\\u001b[2J\","
          + "\"debug\":\"{\\\"maxQueueEvents\\\":-1}\",\(step),\"cause\":\"\"}", at: 7),
    ]
    var log = EngineLog<ClientState>()
    log.append(entries)
    #expect(log.unreadable == 2)
    #expect(log.state().waiting == .max)
    var feed = LiveFixture.shared
    for entry in entries { feed.engines.delivery.append(entry) }
    for (width, height) in LivePictureTests.sizes {
      var model = DeliveryFixture.model(width, height, feed: feed)
      for key in [KeyPress(.enter), KeyPress(.escape), KeyPress("["), KeyPress("/"), KeyPress("x")] {
        let picture = view(model).buffer.lines.joined()
        #expect(!picture.unicodeScalars.contains { $0.value < 32 })
        _ = update(&model, .input(.key(key)))
      }
    }
  }
}
