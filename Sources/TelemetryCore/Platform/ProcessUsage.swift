import Essentials
import Platform

/// Resources used by this process so far; taken at both ends of an interval when snapshots are on.
struct ProcessUsage: Sendable {
  /// The processor time of all threads, in nanoseconds.
  let processor: Int64
  /// Bytes of resident memory; `nil` if the system does not report it.
  let memory: Int?
  /// Bytes written to files so far; `nil` if the system does not report it.
  let written: Int?

  /// The current usage.
  static func current() -> Self {
    Self(processor: ProcessorTime.now(), memory: residentMemory(), written: writtenBytes())
  }

  /// Resources used since an earlier moment.
  func since(_ earlier: Self) -> Self {
    var growth: Int?
    if let memory, let before = earlier.memory { growth = memory - before }
    var newlyWritten: Int?
    if let written, let before = earlier.written { newlyWritten = max(0, written - before) }
    return Self(processor: processor - earlier.processor, memory: growth, written: newlyWritten)
  }

  #if canImport(Darwin)
    private static func residentMemory() -> Int? {
      var info = mach_task_basic_info()
      var count = mach_msg_type_number_t(
        MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
      let result = withUnsafeMutablePointer(to: &info) { info in
        info.withMemoryRebound(to: integer_t.self, capacity: Int(count)) { words in
          task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), words, &count)
        }
      }
      return result == KERN_SUCCESS ? Int(clamping: info.resident_size) : nil
    }

    /// On Apple's systems MetricKit counts writes, but no public call exposes them to an app.
    private static func writtenBytes() -> Int? { nil }
  #else
    /// Bytes written to disk, like `write_bytes` of `/proc/self/io`, but in blocks of 512 bytes and without opening a
    /// file.
    private static func writtenBytes() -> Int? {
      var usage = rusage()
      // 0 is `RUSAGE_SELF`, which one C library imports as a number and another as an enumeration.
      guard getrusage(0, &usage) == 0 else { return nil }
      let (bytes, overflow) = Int(usage.ru_oublock).multipliedReportingOverflow(by: 512)
      return overflow ? nil : bytes
    }

    /// The second number of `statm`, in pages.
    private static func residentMemory() -> Int? {
      let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      let text = withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
        let count = read(file, buffer.baseAddress, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
      }
      let numbers = text.split(separator: " ")
      guard numbers.count > 1, let pages = Int(numbers[1]) else { return nil }
      let (bytes, overflow) = pages.multipliedReportingOverflow(by: sysconf(Int32(_SC_PAGESIZE)))
      return overflow ? nil : bytes
    }
  #endif
}
