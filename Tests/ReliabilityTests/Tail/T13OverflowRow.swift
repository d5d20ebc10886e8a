import Foundation
import JSONLines
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T13: when the watcher's queue overflows, everything is looked at`() async throws {
    try await Self.row("T13") { run in
      var (overflows, tries) = (0, 0)
      while run.goesOn() {
        for readsFirst in [true, false] {
          let tail = try RealTail(.inotify)
          let paths = ["one", "two"].map { tail.folder + "/\($0).jsonl" }
          let writers = paths.map { open($0, O_WRONLY | O_APPEND | O_CREAT, 0o644) }
          defer { for writer in writers { close(writer) } }
          if !readsFirst { tail.write(1, on: writers[0]) }
          tail.start(paths.map { .file($0) })
          let witness = QueueWitness(folder: tail.folder)
          // Equal events one after the other are joined, so the files take turns.
          for index in 0..<50_000 { tail.put(" ", on: writers[index % 2]) }
          tries += 1
          if witness.hasOverflown { overflows += 1 }
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
      // Else the queue held them all, and nothing was tried.
      if overflows == 0 { run.tally.bad += 1 }
      run.note = "50,000 writes over two files each; the queue overflowed in \(overflows) of \(tries)"
    }
  }
}

/// A queue of the same kind as the watcher's, that no one reads meanwhile.
private final class QueueWitness {
  private let queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))

  init(folder: String) {
    inotify_add_watch(queue, folder, UInt32(IN_MODIFY))
  }

  deinit { close(queue) }

  /// Reads all events; whether some were left out.
  var hasOverflown: Bool {
    var block = [UInt8](repeating: 0, count: 64 << 10)
    var isFull = false
    while case let count = read(queue, &block, block.count), count > 0 {
      block[..<count].withUnsafeBytes { bytes in
        var offset = 0
        while offset < bytes.count {
          let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isFull = true }
          offset += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
    }
    return isFull
  }
}
