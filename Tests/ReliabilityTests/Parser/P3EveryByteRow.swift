import Foundation
import FuzzChecks
import TestSupport
import Testing

extension FaultMatrix {
  /// Fifty lines, damaged at every byte.
  ///
  /// It is deleted, flipped, has a byte of each kind inserted before it, and the line is cut there. A long
  /// run flips each bit and inserts all kinds.
  @Test func `P3: no damage of a byte traps or lets a decoder disagree`() async throws {
    try await Self.row("P3") { run in
      for seed in try Self.seeds() {
        for damaged in EveryDamage(of: seed, isLong: run.pace.isLong) {
          run.tally.expected += 1
          let complaint = damaged.withUnsafeBytes { bytes in
            Self.lineChecks.lazy.compactMap { $0.complaint(about: bytes) }.first
          }
          if let complaint {
            run.tally.bad += 1
            if run.tally.bad <= 3 {
              Issue.record("\(String(decoding: damaged, as: UTF8.self)): \(complaint)")
            }
          } else {
            run.tally.got += 1
          }
        }
        run.add(rounds: 1)
      }
      run.note = "50 lines, \(run.pace.isLong ? "every bit flipped" : "three bits flipped of each byte")"
    }
  }

  private static let lineChecks: [FuzzCheck] = [.decoders, .entries]

  /// The seeds of the fuzzers and lines of every layout, fifty in all.
  private static func seeds() throws -> [[UInt8]] {
    let folder = CorpusTests.folder.appendingPathComponent(FuzzCheck.decoders.rawValue)
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasPrefix("seed-") }
      .sorted { $0.path < $1.path }
    var seeds = try files.map { Array(try Data(contentsOf: $0)) }
    var maker = LineMaker(seed: 3)
    while seeds.count < 50 { seeds.append(maker.next()) }
    return seeds
  }
}

/// The ways to damage one byte of a line: all of them, or those of a short run.
private struct EveryDamage: Sequence {
  enum Way {
    case delete, cut, flip(UInt8), insert(UInt8)
  }

  private static let few: [Way] =
    [.delete, .cut, .flip(0x01), .flip(0x20), .flip(0x80)]
    + "\"\\}, 9".utf8.map { .insert($0) }
  private static let all: [Way] =
    [.delete, .cut] + (0..<8).map { .flip(1 << $0) }
    + ("\"\\{}[],:0-.eEtu= \t\r\n\u{0}".utf8 + [0x80, 0xC3, 0xEF, 0xFF]).map { .insert($0) }

  let line: [UInt8]
  let ways: [Way]

  init(of line: [UInt8], isLong: Bool) {
    self.line = line
    ways = isLong ? Self.all : Self.few
  }

  func makeIterator() -> AnyIterator<[UInt8]> {
    var turn = 0
    return AnyIterator {
      guard turn < line.count * ways.count else { return nil }
      defer { turn += 1 }
      let index = turn / ways.count
      var damaged = line
      switch ways[turn % ways.count] {
      case .delete: damaged.remove(at: index)
      case .cut: damaged.removeSubrange(index...)
      case .flip(let bits): damaged[index] ^= bits
      case .insert(let byte): damaged.insert(byte, at: index)
      }
      return damaged
    }
  }
}
