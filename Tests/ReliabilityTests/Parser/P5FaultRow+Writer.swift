import Foundation
import MisterMetricsCore
import Platform
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// P5 for the writer: each of its system calls fails once.
extension FaultMatrix {
  /// The effect of a call, once.
  enum WriterFault: CaseIterable, Sendable {
    case interrupted
    case failing
    case full
    /// Half is written (nothing else can be done by halves), and the call after that fails.
    case half

    var number: Int32 {
      switch self {
      case .interrupted: EINTR
      case .failing: EIO
      case .full, .half: ENOSPC
      }
    }
  }

  /// Records over rotations, once for each call that fails, until the calls are used up.
  ///
  /// - Returns: How many calls failed.
  static func failWriterCalls(_ run: inout MatrixRun) async throws -> Int {
    var calls = 0
    for durability in [MetricDurability.process, .interval, .commit] {
      for fault in WriterFault.allCases {
        var number = 1
        while try await record(durability, FailingCalls(at: number, fault), &run) {
          number += 1
          run.add(rounds: 1)
        }
        calls += number - 1
      }
    }
    return calls
  }

  /// - Returns: Whether the call was reached.
  private static func record(
    _ durability: MetricDurability, _ calls: FailingCalls, _ run: inout MatrixRun
  ) async throws -> Bool {
    let bench = try WriterBench()
    var options = MetricFileOptions()
    options.durability = durability
    // The clock takes no part: what is synced is synced by the flush.
    options.syncInterval = .seconds(3_600)
    options.rotation = MetricFileRotation(maxBytes: 700, keep: 9)
    let recorder = try bench.recorder(options: options, operations: calls.operations)
    for number in 0..<6 { try await recorder.offer(number) }
    // A failure that no one was told of yet is told here.
    try? await recorder.store.flush()
    try? await recorder.store.close()
    let before = run.tally
    try bench.check(deaths: 0, copies: true, into: &run.tally)
    run.tally.lost += try await bench.countUnreadable()
    let acknowledged = run.tally.expected - before.expected
    // One fault costs one record at most: the store goes on.
    run.tally.bad += acknowledged < 5 ? 1 : 0
    if run.tally.lost + run.tally.bad + run.tally.duplicated > before.lost + before.bad + before.duplicated {
      Issue.record("call \(calls.number) at \(durability): \(calls.fault), \(acknowledged) acknowledged")
    }
    return calls.wasReached
  }
}

/// Counts the calls of a store, one of which fails.
private final class FailingCalls: Sendable {
  let number: Int
  let fault: FaultMatrix.WriterFault
  private let made = Locked(0)

  init(at number: Int, _ fault: FaultMatrix.WriterFault) {
    self.number = number
    self.fault = fault
  }

  var wasReached: Bool { made.withLock { $0 } >= number }

  /// The fate of the next call: `nil` if it goes through, else the share of it that is done before it fails.
  private func next() -> WriterStep {
    let call = made.withLock { made in
      made += 1
      return made
    }
    if fault == .half {
      if call == number { return .half }
      if call == number + 1 { return .fails }
      return .works
    }
    return call == number ? .fails : .works
  }

  private func meets<Result: SignedInteger>(_ call: () -> Result) -> Result {
    guard next() == .fails else { return call() }
    errno = fault.number
    return -1
  }

  var operations: FileOperations {
    let system = FileOperations.system
    var operations = FileOperations(
      write: { [self] descriptor, bytes in
        switch next() {
        case .works: return system.write(descriptor, bytes)
        case .half:
          return system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2)))
        case .fails:
          errno = fault.number
          return -1
        }
      }, sync: { [self] descriptor in meets { system.sync(descriptor) } })
    operations.lock = { [self] descriptor, operation in meets { system.lock(descriptor, operation) } }
    operations.read = { [self] descriptor, buffer, offset in
      meets { system.read(descriptor, buffer, offset) }
    }
    // That the name is another file's now is what can go wrong with this one.
    operations.hasName = { [self] identity, path in next() != .fails && system.hasName(identity, path) }
    return operations
  }
}

/// The fate of one call.
private enum WriterStep {
  case works
  case half
  case fails
}
