import Dispatch
import Foundation
import MisterMetricsCore
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension WriterRun {
  /// Records without waiting, and ends: by `return`, by `exit`, by a `signal` that it handles as an app does, by a
  /// `trap`, or not at all (`wait`), so that the test can end it; `fork` starts a child that outlives it and returns;
  /// `twin` forks, and both go on to their end.
  @MainActor
  func gatherAndEnd() throws {
    let store = try makeStore()
    MetricManager.installGlobal(store)
    let way = options["end"] ?? "return"
    if way == "signal" { endOnSignal() }
    for number in 0..<(options.number("count") ?? 0) {
      table.offer(number)
      let metric = Metric<String>(name: writer, in: Bucket("\(number)"))
      metric.record(NumberedRecord.payload(writer: writer, number: number))
      if let time = options.number("pause") { usleep(UInt32(clamping: time)) }
      if way == "fork", number == 10 { startChild() }
    }
    table.isReady = true
    switch way {
    case "exit": exit(0)
    case "twin":
      let child = fork()
      if child > 0 {
        var status: Int32 = 0
        waitpid(child, &status, 0)
      }
      exit(0)
    case "signal", "wait": while true { sleep(1) }
    case "trap": trap(Int(CommandLine.argc) - Int(CommandLine.argc))
    default: break
    }
  }

  /// The way an app ends in order: the handler calls `exit` where that is allowed, outside the signal.
  @MainActor
  private func endOnSignal() {
    for number in [SIGTERM, SIGHUP, SIGINT] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in exit(0) }
      source.resume()
      Self.sources.append(source)
    }
  }

  /// A child that inherits whatever is not closed, and lives on.
  private func startChild() {
    var child: pid_t = 0
    var words = [strdup("/bin/sleep"), strdup("2"), nil]
    posix_spawn(&child, "/bin/sleep", nil, nil, &words, environ)
    words.forEach { free($0) }
    table.isReleased = true
  }

  private func trap(_ zero: Int) {
    let values = [1]
    print(values[values.count - zero])
  }

  @MainActor private static var sources: [any DispatchSourceSignal] = []
}
