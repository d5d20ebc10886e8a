import Foundation
import MisterMetricsCore
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// W13: the clock is wrong, or is set while a record waits.
extension FaultMatrix {
  /// How late a record may come in milliseconds: the gathering and 50 more; a machine that does other things as well
  /// gets more time unless the run is a long one, whose figures count.
  static func latest(_ run: MatrixRun) -> Double { run.pace.isLong ? 300 : 2_000 }

  @Test func `W13: whatever the clock says, records reach the file in time and in order`() async throws {
    let folder = try TemporaryFolder()
    guard let shim = try WrongClock.buildShim(in: folder) else {
      return try Self.skip("W13", "needs a C compiler and LD_PRELOAD")
    }
    try await Self.row("W13") { run in
      var (worst, stamp) = (0.0, 0.0)
      let clocks = WrongClock.all
      // Every clock once, however few runs are asked for.
      for round in 0..<max(clocks.count, run.count) {
        let clock = clocks[round % clocks.count]
        guard clock.canRun else { continue }
        let report = try clock.run(shim: shim)
        run.tally.expected += 20
        run.tally.got += 20 - report.missing
        run.tally.lost += report.missing
        let isGood =
          report.disorder == 0 && report.delay <= Self.latest(run) && report.stamp <= 1
          && clock.accepts(report)
        run.tally.bad += isGood ? 0 : 1
        if !isGood { print("W13 \(clock): \(report)") }
        (worst, stamp) = (max(worst, report.delay), max(stamp, report.stamp))
        run.add(rounds: 1)
      }
      run.note = String(format: "latest %.0f ms, worst time stamp %.3f ms", worst, stamp)
    }
  }
}

/// A way in which a clock is wrong.
private enum WrongClock: CustomStringConvertible {
  case year1999, tenYearsBehind, tenYearsAhead
  /// The clock is set back by an hour while records wait.
  case setBack
  /// The machine was booted long ago, as after a long sleep.
  case bootTime
  case right

  static let all: [Self] = [.year1999, .tenYearsBehind, .tenYearsAhead, .setBack, .bootTime, .right]

  /// The helper program's measurements.
  struct Report {
    private let values: [String: Double]

    init(_ text: String) {
      let pairs = text.split(separator: " ").map { $0.split(separator: "=") }
      values = Dictionary(pairs.map { (String($0[0]), Double($0[1]) ?? .nan) }) { first, _ in first }
    }

    /// In milliseconds.
    var delay: Double { values["delay"] ?? .infinity }
    /// In milliseconds.
    var stamp: Double { values["stamp"] ?? .infinity }
    var disorder: Int { Int(values["disorder"] ?? 1) }
    var missing: Int { Int(values["missing"] ?? 20) }
    var year: Int { Int(values["year"] ?? 0) }
  }

  var description: String {
    switch self {
    case .year1999: "1999"
    case .tenYearsBehind: "ten years behind"
    case .tenYearsAhead: "ten years ahead"
    case .setBack: "set back in flight"
    case .bootTime: "booted long ago"
    case .right: "right"
    }
  }

  var canRun: Bool {
    guard self == .bootTime else { return true }
    guard ChildProcess.isInstalled("unshare") else { return false }
    return (try? ChildProcess("unshare", space + ["true"]).wait()) == .exited(0)
  }

  private var space: [String] {
    (geteuid() == 0 ? [] : ["--user", "--map-root-user"]) + ["--time", "--fork", "--boottime", "31536000"]
  }

  /// True if the fault was there.
  func accepts(_ report: Report) -> Bool {
    let year = Calendar(identifier: .gregorian).component(.year, from: Date())
    switch self {
    case .year1999: return report.year == 1999
    case .tenYearsBehind: return abs(report.year - year + 10) <= 1
    case .tenYearsAhead: return abs(report.year - year - 10) <= 1
    case .setBack, .bootTime, .right: return abs(report.year - year) <= 1
    }
  }

  /// Compiles what sets the wall clock of one program off; `nil` where that cannot be.
  static func buildShim(in folder: TemporaryFolder) throws -> String? {
    #if os(Linux)
      let source = FaultMatrix.folder.deletingLastPathComponent().path + "/Helpers/clock-shim/clock-shim.c"
      let compiler = ["cc", "clang", "gcc"].first(where: ChildProcess.isInstalled)
      guard let compiler else { return nil }
      let words = ["-shared", "-fPIC", "-O", "-Wall", "-Werror", "-o", folder.path("clock.so"), source]
      return try ChildProcess(compiler, words).wait() == .exited(0) ? folder.path("clock.so") : nil
    #else
      return nil
    #endif
  }

  /// By so many seconds the wall clock is off from the start.
  private var offset: Int {
    let now = Int(Date().timeIntervalSince1970)
    switch self {
    // In the middle of it: what year it is is asked by the clocks of the machine's zone.
    case .year1999: return 930_000_000 - now
    case .tenYearsBehind: return -315_576_000
    case .tenYearsAhead: return 315_576_000
    case .setBack, .bootTime, .right: return 0
    }
  }

  func run(shim: String) throws -> Report {
    let folder = try TemporaryFolder()
    let clock = URL(fileURLWithPath: folder.path("clock"))
    try set(clock, to: offset)
    let program = [
      try ChildProcess.program("metric-writer"), "clock", folder.path("m"), folder.path("report"),
    ]
    let words = (self == .bootTime ? ["unshare"] + space : ["env"]) + program
    let process = try ChildProcess(
      words[0], Array(words.dropFirst()), environment: ["LD_PRELOAD": shim, "CLOCK_SHIM": clock.path])
    if self == .setBack {
      // Records wait for a quarter of a second each time; the clock is set in the middle of that.
      while process.isRunning, !FileManager.default.fileExists(atPath: folder.path("m")) { usleep(1_000) }
      usleep(100_000)
      try set(clock, to: -3_600)
    }
    process.wait()
    return Report((try? String(contentsOfFile: folder.path("report"), encoding: .utf8)) ?? "")
  }

  /// In place: the program has the file mapped.
  private func set(_ clock: URL, to seconds: Int) throws {
    let file = open(clock.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    let written = withUnsafeBytes(of: Int64(seconds)) { pwrite(file, $0.baseAddress, $0.count, 0) }
    guard written == 8 else { throw ChildProcess.Failure(description: "the clock cannot be set") }
  }
}
