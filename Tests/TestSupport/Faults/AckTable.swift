import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The fate of each record of one writing process, in memory that survives the process.
///
/// The writer notes when it offered a record, and when the store acknowledged or refused it; the test reads the table
/// after the writer's death. A killed process loses nothing in a shared mapping, and words are never written partially.
package final class AckTable: @unchecked Sendable {
  // Safe: only one process writes, in order of the numbers; concurrent readers see each word whole, old or new.

  /// The fate of one record.
  package enum Fate: Equatable, Sendable {
    /// The writer did not get that far.
    case never
    /// Offered; the writer died or is still waiting.
    case pending
    case acknowledged
    case refused
  }

  /// Maximum records; a writer that has written all of them ends.
  package static let capacity = 1 << 18

  private static let headerWords = 8
  private static let refusedMark = UInt64.max
  private static let size = (headerWords + 2 * capacity) * MemoryLayout<UInt64>.size

  private let words: UnsafeMutablePointer<UInt64>

  /// Maps the table from a file, created if missing; the file is sparse.
  package init(path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw ChildProcess.Failure(description: "no table at \(path): \(errno)") }
    defer { close(descriptor) }
    // The writer may run as another user.
    fchmod(descriptor, 0o666)
    // If the file already has its full size, a writer with a file size limit can map it, too.
    var status = stat()
    guard fstat(descriptor, &status) == 0,
      status.st_size == Self.size || ftruncate(descriptor, off_t(Self.size)) == 0,
      let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      memory != MAP_FAILED
    else { throw ChildProcess.Failure(description: "the table at \(path) cannot be mapped: \(errno)") }
    words = memory.bindMemory(to: UInt64.self, capacity: Self.size / MemoryLayout<UInt64>.size)
  }

  deinit {
    munmap(words, Self.size)
  }

  /// Monotonic nanoseconds, the same clock in every process; never 0.
  package static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// True if the writer is ready and waits for ``isReleased``.
  package var isReady: Bool {
    get { words[0] == 1 }
    set { words[0] = newValue ? 1 : 0 }
  }

  /// True if the writer may start.
  package var isReleased: Bool {
    get { words[1] == 1 }
    set { words[1] = newValue ? 1 : 0 }
  }

  /// True if the writer has recorded everything it was asked for.
  package var isFinished: Bool {
    get { words[2] == 1 }
    set { words[2] = newValue ? 1 : 0 }
  }

  /// Records of this writer that its store counts as refused.
  package var countedRefused: Int {
    get { Int(words[3]) }
    set { words[3] = UInt64(newValue) }
  }

  /// The number of records offered.
  package var offered: Int {
    (0..<Self.capacity).first { offeredAt($0) == 0 } ?? Self.capacity
  }

  package func offer(_ number: Int) { words[Self.headerWords + 2 * number] = Self.now() }
  package func acknowledge(_ number: Int) { words[Self.headerWords + 2 * number + 1] = Self.now() }
  package func refuse(_ number: Int) { words[Self.headerWords + 2 * number + 1] = Self.refusedMark }

  /// The time at which a record was offered, in monotonic nanoseconds; 0 if it was not.
  package func offeredAt(_ number: Int) -> UInt64 { words[Self.headerWords + 2 * number] }

  /// The time at which a record was acknowledged, in monotonic nanoseconds; `nil` if it was not.
  package func acknowledgedAt(_ number: Int) -> UInt64? {
    let word = words[Self.headerWords + 2 * number + 1]
    return word == 0 || word == Self.refusedMark ? nil : word
  }

  /// The fate of a record.
  package func fate(of number: Int) -> Fate {
    guard offeredAt(number) != 0 else { return .never }
    switch words[Self.headerWords + 2 * number + 1] {
    case 0: return .pending
    case Self.refusedMark: return .refused
    default: return .acknowledged
    }
  }
}
