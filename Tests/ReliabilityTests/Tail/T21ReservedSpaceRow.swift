import Foundation
import JSONLines
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T21: a file of a fixed length is followed by its content`() async throws {
    try await Self.row("T21") { run in
      var random = SeededGenerator(seed: run.seed)
      while run.goesOn() {
        for watching in RealTail.Watching.allCases {
          for filler in SpaceFiller.allCases {
            try Self.fillSpace(watching, filler, random: &random, tally: &run.tally)
          }
        }
      }
      run.note = "with inotify and polling; written with pwrite and through memory, each line in two parts"
    }
  }

  private static func fillSpace(
    _ watching: RealTail.Watching, _ filler: SpaceFiller, random: inout SeededGenerator,
    tally: inout MatrixRun.Tally
  ) throws {
    let tail = try RealTail(watching)
    let size = [4096, 100_000, 1 << 20][Int.random(in: 0..<3, using: &random)]
    let file = open(tail.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    defer { close(file) }
    // Half of the files are sparse.
    if Bool.random(using: &random) {
      ftruncate(file, off_t(size))
    } else {
      tail.put([UInt8](repeating: 0, count: size), on: file)
    }
    tail.start()
    var place = 0
    for _ in 0..<20 {
      let bytes = Array((tail.nextLine() + "\n").utf8)
      let cut = Int.random(in: 0...bytes.count, using: &random)
      filler.put(Array(bytes[..<cut]), at: place, of: file)
      tail.pass(Double.random(in: 0...1.5, using: &random))
      filler.put(Array(bytes[cut...]), at: place + cut, of: file)
      place += bytes.count
      tail.pass(1.2)
    }
    tally.compare(written: tail.written, got: tail.lines)
    tally.bad += tail.gaps.count + tail.restarts.count - 1
  }
}

/// The way in which a writer fills the space that it has reserved.
private enum SpaceFiller: CaseIterable {
  case writing, mapping

  func put(_ bytes: [UInt8], at place: Int, of file: Int32) {
    guard self == .mapping else {
      _ = pwrite(file, bytes, bytes.count, off_t(place))
      return
    }
    let size = place + bytes.count
    guard let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), start != MAP_FAILED else {
      return
    }
    memcpy(start + place, bytes, bytes.count)
    munmap(start, size)
  }
}
