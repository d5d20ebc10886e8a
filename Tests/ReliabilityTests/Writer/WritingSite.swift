import Foundation
import TerminalUI
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder in which a command finds all that it reads, its home and its state included.
struct WritingSite {
  private let command: WritingCommand
  private let program: String
  private let holder = try? TemporaryFolder()
  private let root: String
  /// No one's number.
  private static let foreigner: uid_t = 65_534

  init(_ command: WritingCommand, in root: String? = nil) throws {
    self.command = command
    program = try command.program ?? ChildProcess.program("mistertop")
    guard let folder = root ?? holder?.path("site") else { throw POSIXError(.EIO) }
    self.root = folder
    // A sync engine's record.
    let words = ["simulate", "--out=\(folder)-sync", "--until=60", "flaky-push"]
    _ = try ChildProcess(ChildProcess.program("mistertop"), words).wait()
  }

  // MARK: Where it writes

  /// Runs the command and sees where it writes.
  ///
  /// - Returns: the places within the folder, but for those whose names are drawn at random and made again.
  func trace() throws -> Set<String> {
    try lay()
    let log = root + "-trace"
    defer { unlink(log) }
    let calls =
      "open,openat,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,link,linkat,truncate"
    let strace = ["strace", "-f", "-y", "-z", "-s", "4096", "-o", log, "-e", "trace=" + calls]
    // A screen's writes in the background get their time, however slow the machine.
    var (size, isDone): (off_t, Bool) = (0, false)
    _ = try run(wrap: strace, patience: 30) {
      var status = stat()
      guard stat(log, &status) == 0, status.st_size != size else { return isDone }
      size = status.st_size
      isDone = command.places.isSubset(of: Set(places(in: log).map(Self.name(of:))))
      return isDone
    }
    return places(in: log)
  }

  private func places(in log: String) -> Set<String> {
    var places: Set<String> = []
    for line in (try? String(contentsOfFile: log, encoding: .utf8))?.split(separator: "\n") ?? [] {
      // Most calls are elsewhere, and the patterns below are slow.
      guard line.contains(root) else { continue }
      let isOpening = line.contains(" open")
      guard !isOpening || ["O_WRONLY", "O_RDWR", "O_CREAT"].contains(where: line.contains) else { continue }
      let inside = paths(in: line).filter { $0.hasPrefix(root + "/") }
      places.formUnion(inside.map { String($0.dropFirst(root.count + 1)) })
    }
    // A file in a folder of a random name stands in no one's way; where that is made counts.
    let seen = places.map {
      $0.replacing(#/^tmp\/mistertop-demo-[0-9]+-[A-Za-z0-9]{8}(\/.*)?$/#, with: "tmp")
    }
    return Set(seen.filter { !$0.contains(#/\.mistertop-([A-Za-z0-9]{6}|[a-z0-9]+-[a-z0-9]+~)$/#) })
  }

  /// The paths of a call: each a text behind the folder that it is relative to, if there is one.
  private func paths(in line: Substring) -> [String] {
    line.matches(of: #/(?:<([^>]*)>, )?"([^"]*)"/#).map { match in
      let name = String(match.output.2)
      guard !name.hasPrefix("/"), let folder = match.output.1 else { return name }
      return folder + "/" + name
    }
  }

  /// How the list calls a place: what is named after a hash has no name of its own.
  static func name(of place: String) -> String {
    place.replacing(#/\/[0-9a-f]{16,32}(?=\/|\.json$|$)/#, with: "/*")
      .replacing(#/\/[0-9a-f]+-[0-9a-f]+-[0-9a-f]+(?=\.index$)/#, with: "/*")
  }

  // MARK: What is put there

  /// Runs the command with something at a place, made by another account.
  ///
  /// - Returns: what went wrong.
  func attempt(at place: String, _ planted: Planted) throws -> [String] {
    try lay()
    let victim = root + "-victim"
    unlink(victim)
    try Data("keys".utf8).write(to: URL(fileURLWithPath: victim))
    let path = try clear(place)
    try planted.put(at: path, victim: victim)
    if planted != .secondName { lchown(path, Self.foreigner, Self.foreigner) }
    var faults = try judgedRun()
    let isWhole = (try? String(contentsOfFile: victim, encoding: .utf8)) == "keys"
    if !isWhole { faults.append("the victim is changed") }
    if FileManager.default.fileExists(atPath: victim + "-new") {
      faults.append("the victim is made")
      unlink(victim + "-new")
    }
    return faults
  }

  /// Runs the command with another account's file at a place.
  func attemptForeign(at place: String) throws -> [String] {
    try lay()
    let path = try clear(place)
    try Data().write(to: URL(fileURLWithPath: path))
    chown(path, Self.foreigner, Self.foreigner)
    var faults = try judgedRun()
    var status = stat()
    // A file that a person names stays its owner's; in the program's own places a file of others is replaced.
    let isNamed = place.hasPrefix("data/") && !place.hasSuffix(".lock")
    if isNamed, lstat(path, &status) == 0, status.st_uid != Self.foreigner { faults.append("taken over") }
    return faults
  }

  /// Runs the command where nothing more can be written.
  func attemptFullDisk() throws -> [String] {
    guard let disk = try MountedFileSystem(.memory(bytes: 32 << 20)) else { return [] }
    let site = try WritingSite(command, in: disk.path("site"))
    try site.lay()
    disk.fill(sparing: 0)
    let (faults, ending) = try site.judged()
    return faults + (ending == .exited(0) && command.failsOnFullDisk ? ["says that all is well"] : [])
  }

  /// Makes room at a place, and the folders in which it lies.
  private func clear(_ place: String) throws -> String {
    let path = root + "/" + place
    try? FileManager.default.removeItem(atPath: path)
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // Where else could others have put it?
    chmod(folder, 0o777)
    return path
  }

  private func judgedRun() throws -> [String] { try judged().faults }

  /// Runs it: it has to end by itself and to say why where it did not do its work.
  private func judged() throws -> (faults: [String], ending: ChildProcess.Ending?) {
    let (ending, text) = try run()
    switch ending {
    case .exited(0): return ([], ending)
    case .exited where !text.isEmpty: return ([], ending)
    case .exited: return (["says nothing"], ending)
    case .killed: return (["crashes: \(text)"], ending)
    case nil: return (["does not end"], ending)
    }
  }

  /// - Parameters:
  ///   - patience: for how long what a key shows is waited for, in seconds.
  ///   - isDone: what has to hold before the key that ends a screen.
  private func run(
    wrap: [String] = [], patience: Double = 3, isDone: () -> Bool = { true }
  ) throws -> (ending: ChildProcess.Ending?, text: String) {
    let output = (root.hasPrefix("/proc") ? holder?.path("output") : root + "-output") ?? root + "-output"
    unlink(output)
    // Not relative: a working folder of another name space has no path in this one.
    var words = wrap + [program] + command.words.map { $0.replacing("data/", with: root + "/data/") }
    if command.isEndless { words = ["timeout", "--preserve-status", "-s", "INT", "0.5"] + words }
    words = ["sh", "-c", "cd \"$0\" && exec \"$@\"", root] + words
    guard command.keys.isEmpty else { return try press(words, patience, isDone) }
    let child = try ChildProcess(words[0], Array(words[1...]), environment: environment, output: output)
    let ending = child.wait(upTo: .seconds(20))
    return (ending, (try? String(contentsOfFile: output, encoding: .utf8)) ?? "")
  }

  private func press(
    _ words: [String], _ patience: Double, _ isDone: () -> Bool
  ) throws -> (ending: ChildProcess.Ending?, text: String) {
    guard let holder else { return (nil, "") }
    let terminal = try PseudoTerminal(
      words, environment: environment, size: Size(width: 100, height: 30), in: holder)
    for (index, (key, shown)) in command.keys.enumerated() {
      if index == command.keys.count - 1 { _ = terminal.wait(patience, until: isDone) }
      terminal.send(key)
      // An impossible action is not shown.
      _ = terminal.wait(patience) { terminal.screen.contains(shown) }
    }
    return (terminal.waitForEnd(10), terminal.text)
  }

  private var environment: [String: String] {
    let folders = ["HOME": "home", "TMPDIR": "tmp", "XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache"]
    let more = ["XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "share"]
    return folders.merging(more) { $1 }.mapValues { root + "/" + $0 }
  }

  // MARK: What is read

  private static let payload = """
    {"appVersion": "1.0", "timeStampBegin": "2026-01-01 00:00:00", "timeStampEnd": "2026-01-02 00:00:00",
    "applicationTimeMetrics": {"cumulativeForegroundTime": "10 sec"}}
    """

  /// Long enough for an index.
  private static let large = Data(
    (0..<95_000).map { TerminalBench.line($0, time: 730_987_200 + Double($0)) }.joined().utf8)

  /// Lays the folder again.
  private func lay() throws {
    try? FileManager.default.removeItem(atPath: root)
    for folder in ["home", "tmp", "state", "cache", "config", "share", "data"] {
      try FileManager.default.createDirectory(atPath: root + "/" + folder, withIntermediateDirectories: true)
    }
    let metrics = (0..<20).map { TerminalBench.line($0, time: 730_987_200 + Double($0)) }.joined()
    let sync = try Data(contentsOf: URL(fileURLWithPath: root + "-sync"))
    for (name, content) in [
      ("m.jsonl", Data(metrics.utf8)), ("old.csv", Data("old\n".utf8)), ("sync.jsonl", sync),
      ("payload.json", Data(Self.payload.utf8)),
      ("events.jsonl", Data((#"{"type":"track","event":"x"}"# + "\n").utf8)),
    ] {
      try content.write(to: URL(fileURLWithPath: "\(root)/data/\(name)"))
    }
    guard command.words.contains("data/large.jsonl") else { return }
    try Self.large.write(to: URL(fileURLWithPath: root + "/data/large.jsonl"))
  }
}
