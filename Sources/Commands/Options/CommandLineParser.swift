import Foundation
import TerminalUI

/// Reads a command line and decides nothing but what it means.
package struct CommandLineParser: Sendable {
  /// The program's version.
  package static let version = "0.1.0"

  let surroundings: Surroundings

  package init(surroundings: Surroundings) {
    self.surroundings = surroundings
  }

  /// Reads the arguments behind the program's name.
  ///
  /// - Throws: `UsageError` with what is wrong.
  package func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
    if let first = arguments.first, let command = Subcommand.all.first(where: { $0.name == first }) {
      return try parse(command, Array(arguments.dropFirst()))
    }
    let scanned = try OptionScanner.scan(
      arguments, specs: Subcommand.dashboard.options + Subcommand.common + [Subcommand.version])
    if scanned.has("help") { return .text(Subcommand.overview) }
    if scanned.has("version") { return .text("mistertop \(Self.version)\n") }
    let looks = try looks(scanned)
    guard !scanned.operands.isEmpty else {
      return .dashboard(paths: [surroundings.defaultStore], looks)
    }
    for path in scanned.operands where path != "-" && !path.contains("/") && !path.contains(".") {
      guard surroundings.exists(path) else { throw .unknownCommand(path) }
    }
    return .dashboard(paths: scanned.operands, looks)
  }

  private func parse(_ command: Subcommand, _ arguments: [String]) throws(UsageError) -> Invocation {
    let scanned = try OptionScanner.scan(arguments, specs: command.options + Subcommand.common)
    if scanned.has("help") { return .text(command.help) }
    switch command.name {
    case "demo": return try demo(scanned)
    case "stats": return try stats(scanned)
    case "export": return try export(scanned)
    case "record": return try record(scanned)
    case "optimize": return try optimize(scanned)
    case "snapshot": return try snapshot(scanned)
    case "import": return try importPayloads(scanned)
    case "simulate": return try simulate(scanned)
    case "diagram": return try diagram(scanned)
    case "tail":
      if let file = scanned.value("cursor-file"), file.isEmpty {
        throw .badValue(option: "--cursor-file", value: file, expected: "the name of a file")
      }
      return .tail(TailRequest(paths: files(scanned), cursorFile: scanned.value("cursor-file")))
    case "doctor":
      guard !scanned.operands.isEmpty else { throw .missingOperand("the file to examine") }
      return .doctor(paths: scanned.operands)
    default:
      try forbidOperands(scanned)
      return .info
    }
  }

  /// The files that were named, else the default store.
  func files(_ scanned: ScannedOptions) -> [String] {
    scanned.operands.isEmpty ? [surroundings.defaultStore] : scanned.operands
  }

  func forbidOperands(_ scanned: ScannedOptions, beyond count: Int = 0) throws(UsageError) {
    if scanned.operands.count > count { throw .tooManyOperands(scanned.operands[count]) }
  }

  private func demo(_ scanned: ScannedOptions) throws(UsageError) -> Invocation {
    try forbidOperands(scanned)
    let seed = try seed(scanned)
    if let path = scanned.value("history") {
      guard !scanned.has("scenario") else { throw .contradiction("--scenario", "--history") }
      return .demoHistory(seed: seed ?? 42, path: path)
    }
    if let name = scanned.value("scenario") {
      return .drive(scenario: name, seed: seed, try looks(scanned))
    }
    return .demo(seed: seed ?? 42, try looks(scanned))
  }

  private func stats(_ scanned: ScannedOptions) throws(UsageError) -> Invocation {
    var stats = Stats()
    stats.filter.since = try time("since", scanned) ?? -.infinity
    stats.filter.until = try time("until", scanned) ?? .infinity
    stats.filter.bucket = scanned.value("bucket")
    stats.filter.metric = scanned.value("metric")
    stats.filter.fields = scanned.has("fields")
    stats.indexFolder = indexFolder(scanned)
    if let text = scanned.value("format") {
      guard let format = StatsFormat(rawValue: text) else {
        throw .badValue(option: "--format", value: text, expected: "table, json or csv")
      }
      stats.format = format
    }
    if let text = scanned.value("threads") {
      guard let count = Int(text), (1...256).contains(count) else {
        throw .badValue(option: "--threads", value: text, expected: "a number from 1 to 256")
      }
      stats.workers = count
    }
    return .stats(stats, paths: files(scanned))
  }

  func time(_ name: String, _ scanned: ScannedOptions) throws(UsageError) -> Double? {
    guard let text = scanned.value(name) else { return nil }
    guard let seconds = TimeArgument.seconds(text, now: surroundings.now) else {
      throw .badValue(option: "--" + name, value: text, expected: TimeArgument.expected)
    }
    return seconds
  }

  func indexFolder(_ scanned: ScannedOptions) -> String? {
    scanned.has("no-index") ? nil : surroundings.indexFolder
  }

  private func record(_ scanned: ScannedOptions) throws(UsageError) -> Invocation {
    for (index, name) in ["the bucket", "the name", "the value"].enumerated()
    where scanned.operands.count <= index {
      throw .missingOperand(name)
    }
    try forbidOperands(scanned, beyond: 3)
    var type: RecordCommand.ValueType?
    if let text = scanned.value("type") {
      type = RecordCommand.ValueType(rawValue: text.lowercased())
      guard type != nil else {
        throw .badValue(option: "--type", value: text, expected: "double, int, bool or string")
      }
    }
    return .record(
      RecordRequest(
        bucket: scanned.operands[0], name: scanned.operands[1], value: scanned.operands[2], type: type,
        store: scanned.value("store") ?? surroundings.defaultStore))
  }

  private func optimize(_ scanned: ScannedOptions) throws(UsageError) -> Invocation {
    try forbidOperands(scanned, beyond: 1)
    guard let keep = scanned.value("keep") else { throw .missingOperand("--keep, how old a sample may be,") }
    guard let retention = Retention(keep) else {
      throw .badValue(option: "--keep", value: keep, expected: "an age such as 30d, 2w or 12h")
    }
    let path = scanned.operands.first ?? scanned.value("store") ?? surroundings.defaultStore
    return .optimize(path: path, keep: retention)
  }

  func looks(_ scanned: ScannedOptions) throws(UsageError) -> Looks {
    var looks = Looks()
    if let text = scanned.value("colors") {
      let depths: [String: ColorDepth] = [
        "24bit": .trueColor, "256": .indexed256, "16": .indexed16, "none": .none,
      ]
      guard let depth = depths[text] else {
        throw .badValue(option: "--colors", value: text, expected: "24bit, 256, 16 or none")
      }
      looks.colors = depth
    }
    if let text = scanned.value("glyphs") {
      let tiers: [String: GlyphTier] = ["braille": .braille, "blocks": .blocks, "ascii": .ascii]
      guard let tier = tiers[text] else {
        throw .badValue(option: "--glyphs", value: text, expected: "braille, blocks or ascii")
      }
      looks.glyphs = tier
    }
    if scanned.has("ascii") { looks.glyphs = .ascii }
    looks.limits = try limits(scanned)
    looks.indexFolder = indexFolder(scanned)
    return looks
  }

  private func limits(_ scanned: ScannedOptions) throws(UsageError) -> [String: Double] {
    var limits: [String: Double] = [:]
    for option in scanned.options where option.name == "limit" {
      // The last sign: a name may hold others.
      guard let sign = option.value.lastIndex(of: "="), sign > option.value.startIndex,
        let limit = Double(option.value[option.value.index(after: sign)...]), limit.isFinite
      else {
        throw .badValue(
          option: "--limit", value: option.value, expected: "a metric and a number, such as sync.push_ms=400")
      }
      limits[String(option.value[..<sign])] = limit
    }
    return limits
  }
}
