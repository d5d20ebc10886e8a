import Telemetry
import TestSupport
import Testing

@Suite("Outlines of call stacks")
struct CallStackOutlineTests {
  private typealias Frame = RecordedCallStacks.Frame

  /// Stacks as `depth:offset:samples`, all of them in a program of this name.
  private func stacks(_ text: String, binary: String = "App", uuid: String = "") throws -> RecordedCallStacks
  {
    let frames = try text.split(separator: " ").map { word in
      let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
      return Frame(
        address: 1, binary: 0, depth: try #require(parts[0]), offset: parts[1].map { UInt64($0) },
        samples: parts[2])
    }
    return RecordedCallStacks(binaries: [.init(name: binary, uuid: uuid)], frames: frames)
  }

  private func lines(_ outline: CallStackOutline) -> [String] {
    let all = Set(ids(of: outline))
    return outline.rows(unfolded: all).map {
      String(repeating: "  ", count: $0.depth) + "\($0.name) \($0.total) \($0.own)"
    }
  }

  /// All nodes that have something below them, found as a person finds them.
  private func ids(of outline: CallStackOutline) -> [CallStackOutline.ID] {
    var unfolded: Set<CallStackOutline.ID> = []
    while true {
      let new = outline.rows(unfolded: unfolded).filter { $0.isFoldable && !$0.isUnfolded }
      guard !new.isEmpty else { return Array(unfolded) }
      unfolded.formUnion(new.map(\.id))
    }
  }

  @Test(
    "what stands in the same places is one node, the heaviest first, with its own samples and those below")
  func merging() throws {
    let first = try stacks("0:16:10 1:32:7 2:48:7 1:64:2")
    let second = try stacks("0:16:5 1:64:5 0:80:1")
    let outline = CallStackOutline([first, second])
    #expect(
      lines(outline) == [
        "App +0x10 15 1", "  App +0x20 7 0", "    App +0x30 7 7", "  App +0x40 7 7", "App +0x50 1 1",
      ])
    #expect(outline.total == 16)
    let rows = outline.rows(unfolded: [])
    #expect(rows.map(\.share) == [15.0 / 16, 1.0 / 16] && rows.map(\.isFoldable) == [true, false])
    #expect(CallStackOutline([second, first]).rows(unfolded: []) == rows)
  }

  @Test("another build, another program and another place are other nodes")
  func keys() throws {
    let outline = CallStackOutline([
      try stacks("0:16:1"), try stacks("0:16:1", uuid: "A"), try stacks("0:16:1", binary: "UIKit"),
      try stacks("0::1"), try stacks("0:1:1"),
      RecordedCallStacks(
        binaries: [],
        frames: [
          Frame(address: nil, binary: nil, depth: 0, offset: nil, samples: 1),
          Frame(address: .max, binary: 3, depth: 0, offset: nil, samples: 1),
        ]),
    ])
    #expect(
      outline.rows(unfolded: []).map(\.name) == [
        "0xffffffffffffffff", "?", "App +0x1", "App +0x10", "App +0x10", "App 0x1", "UIKit +0x10",
      ])
    #expect(Set(outline.rows(unfolded: []).map(\.id)).count == 7)
  }

  @Test("stacks without samples weigh one each, whatever their length")
  func unsampled() throws {
    let crash = try stacks("0:16: 1:32: 2:48:")
    #expect(
      lines(CallStackOutline([crash, crash, try stacks("0:16: 1:64:")])) == [
        "App +0x10 3 0", "  App +0x20 2 0", "    App +0x30 2 2", "  App +0x40 1 1",
      ])
  }

  @Test("nodes are the same ones when more diagnostics have come")
  func stability() throws {
    let before = CallStackOutline([try stacks("0:16:10 1:32:7")])
    let after = CallStackOutline([try stacks("0:96:99 1:16:1"), try stacks("0:16:10 1:32:7 1:33:9")])
    let unfolded = Set(before.rows(unfolded: []).map(\.id))
    #expect(
      after.rows(unfolded: unfolded).map(\.name) == ["App +0x60", "App +0x10", "App +0x21", "App +0x20"])
  }

  @Test("a way is unfolded to its end, or to where it parts")
  func way() throws {
    let outline = CallStackOutline([try stacks("0:1:9 1:2:9 2:3:9 3:4:5 4:5:5 3:6:4")])
    let root = try #require(outline.rows(unfolded: []).first)
    let rows = outline.rows(unfolded: outline.way(from: root.id))
    #expect(
      rows.map(\.depth) == [0, 1, 2, 3, 3] && rows.map(\.isUnfolded) == [true, true, true, false, false])
    #expect(outline.way(from: 0).isEmpty)
    #expect(outline.way(from: try #require(rows.last).id).isEmpty)
  }

  @Test(
    "a tree of a hundred thousand levels and one of as many roots, and more, are cut, and what is cut is counted"
  )
  func hostile() throws {
    let deep = (0..<100_000).map { Frame(address: 1, binary: nil, depth: $0, offset: nil, samples: .max) }
    let outline = CallStackOutline([RecordedCallStacks(binaries: [], frames: deep, framesLeftOut: 7)])
    #expect(ids(of: outline).count == 255 && outline.framesLeftOut == 100_000 - 256 + 7)
    #expect(
      CallStackOutline([RecordedCallStacks(binaries: [], frames: deep)], depthLimit: .max).total == .max)
    let wide = (0..<200_000).map {
      Frame(address: UInt64($0), binary: nil, depth: 0, offset: nil, samples: 1)
    }
    let many = CallStackOutline([RecordedCallStacks(binaries: [], frames: wide)])
    #expect(many.rows(unfolded: []).count == CallStackOutline.nodeLimit && many.total == 200_000)
    #expect(many.framesLeftOut == 200_000 - CallStackOutline.nodeLimit)
  }

  @Test("sums stop at the largest number, and depths that make no sense are taken as they can be")
  func nonsense() throws {
    let odd = [
      Frame(address: 1, binary: -7, depth: .max, offset: nil, samples: .max),
      Frame(address: 2, binary: .max, depth: .max, offset: nil, samples: .min),
      Frame(address: 3, binary: 0, depth: .min, offset: nil, samples: .max),
    ]
    let one = RecordedCallStacks(binaries: [], frames: odd, framesLeftOut: .max, stacksLeftOut: .max)
    let outline = CallStackOutline([one, one])
    #expect(outline.total == .max && outline.framesLeftOut == .max && outline.stacksLeftOut == .max)
    #expect(
      lines(outline) == ["0x1 \(Int.max) \(Int.max)", "  0x2 0 0", "0x3 \(Int.max) \(Int.max)"])
    #expect(outline.rows(unfolded: []).map(\.share) == [1, 1])
    #expect(CallStackOutline([]).rows(unfolded: []).isEmpty)
  }

  @Test("samples are never lost or doubled, whatever the tree", arguments: 0..<20)
  func conservation(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var depth = -1
    let frames = (0..<500).map { _ in
      depth = Int.random(in: 0...min(depth + 1, 12), using: &random)
      return Frame(
        address: UInt64.random(in: 0..<3, using: &random), binary: nil, depth: depth, offset: nil,
        samples: nil)
    }
    let outline = CallStackOutline([RecordedCallStacks(binaries: [], frames: frames)])
    let rows = outline.rows(unfolded: Set(ids(of: outline)))
    #expect(rows.reduce(0) { $0 + $1.own } == outline.total)
    #expect(rows.filter { $0.depth == 0 }.reduce(0) { $0 + $1.total } == outline.total)
    for (row, next) in zip(rows, rows.dropFirst()) where next.depth == row.depth + 1 {
      #expect(next.total <= row.total)
    }
  }
}
