import Foundation
import Platform
import Testing

@Suite("threads")
struct ThreadTests {
  private struct Refused: Error {}

  @Test("one thread at a time has the value behind a lock")
  func lock() {
    let total = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<1000 { total.withLock { $0 += 1 } }
    }
    #expect(total.withLock { $0 } == 8000)
  }

  @Test("an error gives the lock back")
  func failedLock() {
    let value = Locked(1)
    #expect(throws: Refused.self) { try value.withLock { _ in throw Refused() } }
    #expect(value.withLock { $0 } == 1)
  }

  @Test("a signal is raised until it is cleared, however often it was", arguments: [1, 3, 20, 4096, 100_000])
  func wakeSignal(times: Int) {
    let signal = WakeSignal()
    #expect(!signal.isRaised)
    for _ in 0..<times { signal.raise() }
    #expect(signal.isRaised)
    signal.clear()
    #expect(!signal.isRaised)
  }

  @Test("waiting for a writable descriptor ends with the signal")
  func waiting() {
    let (signal, full) = (WakeSignal(), Pipe())
    let output = full.fileHandleForWriting.fileDescriptor
    #expect(signal.waits(untilWritable: output))
    _ = fcntl(output, F_SETFL, O_NONBLOCK)
    let bytes = [UInt8](repeating: 0, count: 4096)
    while write(output, bytes, bytes.count) > 0 {}
    signal.raise()
    #expect(!signal.waits(untilWritable: output))
  }
}
