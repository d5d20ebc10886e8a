import Foundation
import JSONLines
import TestSupport

/// The four ways in which every row of the tail is run.
struct TailSetup: CaseIterable, Sendable {
  let watching: RealTail.Watching
  /// True if the reader is there before the file, or comes when there is something to read.
  let readsFirst: Bool

  static var allCases: [TailSetup] {
    RealTail.Watching.allCases.flatMap {
      [TailSetup(watching: $0, readsFirst: true), TailSetup(watching: $0, readsFirst: false)]
    }
  }

  /// A tail that follows a file which has its first lines.
  func begin(
    lines: Int, fileSystem: any TailFileSystem = PosixFileSystem(),
    at start: TailStateMachine.Start = .beginning
  ) throws -> RealTail {
    let tail = try RealTail(watching, fileSystem: fileSystem)
    if readsFirst {
      tail.start(at: start)
      tail.write(lines)
      tail.settle()
    } else {
      tail.write(lines)
      tail.start(at: start)
    }
    return tail
  }
}
