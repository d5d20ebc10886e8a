import Foundation
import JSONLines
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T13: when the watcher's queue overflows, everything is looked at`() async throws {
    try await Self.row("T13") { run in
      while run.goesOn() {
        for readsFirst in [true, false] {
          let tail = try RealTail(.inotify)
          let paths = ["one", "two"].map { tail.folder + "/\($0).jsonl" }
          let writers = paths.map { open($0, O_WRONLY | O_APPEND | O_CREAT, 0o644) }
          defer { for writer in writers { close(writer) } }
          if !readsFirst { tail.write(1, on: writers[0]) }
          tail.start(paths.map { .file($0) })
          // Equal events one after the other are joined, so the files take turns.
          for index in 0..<50_000 { tail.put(" ", on: writers[index % 2]) }
          for writer in writers { tail.put("\n" + tail.nextLine() + "\n", on: writer) }
          tail.settle()
          for writer in writers { tail.write(1, on: writer) }
          tail.settle()
          let blank = tail.lines.filter { $0.allSatisfy { $0 == " " } }
          run.tally.compare(
            written: tail.written, got: tail.lines.filter { !$0.hasPrefix(" ") }, inOrder: false)
          if blank.map(\.count) != [25_000, 25_000] { run.tally.bad += 1 }
        }
      }
      run.note = "50,000 writes over two files each"
    }
  }
}
