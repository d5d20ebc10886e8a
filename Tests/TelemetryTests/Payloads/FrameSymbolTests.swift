import Foundation
import MisterMetricsCore
import TelemetryCore
import Testing

@Suite("Functions of frames")
struct FrameSymbolTests {
  private typealias Stacks = RecordedCallStacks

  private static let checkout = Stacks.Symbol(function: "checkout()", file: "/src/Cart.swift", line: 31)
  private static let price = Stacks.Symbol(function: "price(_:)", file: "/src/Price.swift", line: 7)
  private static let main = Stacks.Symbol(function: "main", file: "", line: nil)

  /// Two frames in order, with the first one's functions.
  private func stacks(_ first: [Stacks.Symbol], _ second: [Stacks.Symbol]) -> Stacks {
    let frames = [first, second].enumerated().map { depth, symbols in
      Stacks.Frame(
        address: nil, binary: 0, depth: depth, offset: UInt64(16 + depth), samples: 3,
        symbols: symbols.isEmpty ? nil : symbols)
    }
    return Stacks(binaries: [.init(name: "App", uuid: "1234")], frames: frames)
  }

  private func rows(_ outline: CallStackOutline) -> [String] {
    let first = outline.rows(unfolded: []).first.map(\.id) ?? 0
    return outline.rows(unfolded: outline.way(from: first)).map {
      String(repeating: "  ", count: $0.depth) + "\($0.name) \($0.total) \($0.own)"
    }
  }

  @Test("an inlined function stands above the one that it was inlined into where callers stand below")
  func crash() {
    let outline = CallStackOutline(
      [stacks([Self.price, Self.checkout], [Self.main])], beginsInnermost: true)
    #expect(
      rows(outline) == [
        "App price(_:), Price.swift:7 3 0", "  App checkout(), Cart.swift:31 3 0", "    App main 3 3",
      ])
  }

  @Test("and below it where callees stand below")
  func samples() {
    let outline = CallStackOutline([stacks([Self.main], [Self.price, Self.checkout])])
    #expect(
      rows(outline) == [
        "App main 3 0", "  App checkout(), Cart.swift:31 3 0", "    App price(_:), Price.swift:7 3 3",
      ])
  }

  @Test("a frame after one with inlined functions stands below all of them, and its siblings beside it")
  func siblings() {
    let frames = [(0, [Self.checkout, Self.main]), (1, [Self.price]), (1, []), (0, [])].enumerated().map {
      Stacks.Frame(
        address: nil, binary: nil, depth: $1.0, offset: UInt64($0), samples: nil, symbols: $1.1)
    }
    let outline = CallStackOutline([Stacks(binaries: [], frames: frames)])
    #expect(rows(outline).first == "main 2 0")
    #expect(outline.total == 3)
  }

  @Test("a frame without functions is named by its place as before")
  func unnamed() {
    #expect(
      rows(CallStackOutline([stacks([], [.init(function: "")])])) == ["App +0x10 3 0", "  App +0x11 3 3"])
  }

  @Test("a record keeps functions up to its limit, and its line below a megabyte")
  func limit() throws {
    let long = Stacks.Symbol(
      function: String(repeating: "f/", count: 2_000), file: String(repeating: "\u{1}", count: 3_000), line: 1
    )
    let frames = (0..<4_096).map { index in
      Stacks.Frame(
        address: .max, binary: 0, depth: 255, offset: UInt64(Int64.max) + UInt64(index), samples: .max)
    }
    let stacks = Stacks(binaries: [.init(name: "App", uuid: "1234")], frames: frames)
    let json = try JSONEncoder().encode(["callStacks": stacks])
    let diagnostic = try #require(PayloadDiagnostic(json: Array(json)))
    let entry = MetricEntry(
      timestamp: Date(timeIntervalSinceReferenceDate: 0),
      metric: PayloadMetrics.diagnostic("crashDiagnostics"), value: diagnostic)
    struct Names: CallStackSymbols {
      let symbol: Stacks.Symbol
      func symbolicated(_ stacks: Stacks, of kind: String) -> Stacks {
        stacks.naming(stacks.places(of: kind).map { $0 == nil ? nil : [symbol] })
      }
      func keep() {}
      var problem: String? { nil }
    }
    let named = entry.symbolicated(by: Names(symbol: long))
    #expect(named.value.base64EncodedData().count < 1_000_000)
    let kept = try named.decode(PayloadDiagnostic.self).callStacks.frames.map(\.function)
    #expect(kept.first??.utf8.count == 1_024)
    #expect(kept.last == .some(nil))
    #expect(PayloadDiagnostic(json: Array(named.value)) == (try named.decode(PayloadDiagnostic.self)))
  }

  @Test("frames are looked up one byte before, except where nothing was called")
  func places() {
    func offsets(_ kind: String) -> [UInt64?] {
      stacks([], []).places(of: kind).map { $0?.offset }
    }
    #expect(offsets("crashDiagnostics.callStackTree") == [16, 16])
    #expect(offsets("hangDiagnostics.callStackTree") == [15, 17])
    #expect(stacks([Self.main], []).places(of: "crashDiagnostics").map { $0?.offset } == [nil, 16])
  }
}
