/// A subcommand as the person sees it: its name, what it takes, what it does.
struct Subcommand: Sendable {
  /// The name on the command line; empty for the dashboard itself.
  let name: String
  /// What follows the name, for the usage line.
  let operands: String
  /// What it does, in one sentence.
  let summary: String
  let options: [OptionSpec]

  /// The options that every subcommand has.
  static let common = [OptionSpec("help", letter: "h", help: "explain this and end")]

  static let version = OptionSpec("version", letter: "V", help: "print the version and end")

  private static let store = OptionSpec(
    "store", "FILE", help: "the metrics file to use instead of $MISTERTOP_STORE or the default store")

  private static let looks = [
    OptionSpec(
      "limit", "NAME=VALUE",
      help: "what the 95th percentile of bucket.name may be; above it is an alert (repeatable)"),
    OptionSpec("ascii", help: "draw with ASCII characters only"),
    OptionSpec(
      "colors", "DEPTH", help: "24bit, 256, 16 or none (else what the terminal offers; NO_COLOR means none)"),
    OptionSpec("glyphs", "TIER", help: "braille, blocks or ascii (else what the terminal offers)"),
    index,
  ]

  private static let index = OptionSpec(
    "no-index", help: "neither use nor keep what is known of the files from earlier runs")

  /// What is chosen of the Histogram screen.
  private static let histogram = [
    OptionSpec(
      "a", "CHOICE",
      help: "side A of the histogram: all, none, FIELD=VALUE or FROM..TO (else what tells most)"),
    OptionSpec("b", "CHOICE", help: "side B, which A is compared with"),
    OptionSpec(
      "only", "FIELD=VALUE", help: "only samples with that value; FIELD= those without (repeatable)"),
    OptionSpec("group", "FIELD", help: "the field that the histogram is split by"),
    OptionSpec("scale", "SCALE", help: "linear, log or recorded: how rows are cut (else what suits)"),
    OptionSpec("percentiles", "LIST", help: "from 0 to 100, such as 50,90,99 (default 50,75,90,95,99)"),
    OptionSpec("no-lens", help: "bars beyond the 90th percentile no longer than the others"),
    OptionSpec("hide-few", help: "without versions of few samples"),
    OptionSpec("overview", help: "all that payloads tell, instead of one histogram"),
  ]

  /// Which samples count.
  private static let selection = [
    OptionSpec(
      "since", "TIME", help: "only samples from then on: an ISO 8601 time, or an age such as 15m or 2d"),
    OptionSpec("until", "TIME", help: "only samples up to then"),
    OptionSpec("bucket", "NAME", help: "only metrics of this bucket"),
    OptionSpec("metric", "NAME", help: "only metrics of this name"),
  ]

  static let dashboard = Subcommand(
    name: "", operands: "[FILE | FOLDER | -]…",
    summary:
      "Shows every metric of the files live, and files of payloads as histograms; without one, the default store.",
    options: looks)

  /// All subcommands in the order of the help.
  static let all = [
    Subcommand(
      name: "demo", operands: "",
      summary: "Opens the dashboard on a sample app that records into a temporary store, incidents included.",
      options: [
        OptionSpec("seed", "N", help: "another course of events (default 42, or the scenario's own)"),
        OptionSpec(
          "scenario", "NAME",
          help: "play only that scenario of the sync engine (see simulate --list; or a .json5 file), by hand"),
        OptionSpec("history", "FILE", help: "only write the app's last ten minutes to a file, and end"),
      ] + looks),
    Subcommand(
      name: "stats", operands: "[FILE]…",
      summary: "Prints count, extremes, mean, spread and percentiles of every metric.",
      options: selection + [
        OptionSpec("fields", help: "the fields of structs as rows of their own, named name.field"),
        OptionSpec("format", "FORMAT", help: "table, json or csv"),
        OptionSpec("threads", "N", help: "how many cores read at a time (default: all)"),
        index,
      ]),
    Subcommand(
      name: "export", operands: "[FILE | -]…",
      summary: "Writes samples as CSV, JSON Lines, OpenMetrics or InfluxDB line protocol.",
      options: selection + [
        OptionSpec(
          "format", "FORMAT", help: "csv (default), jsonl (the lines as recorded), openmetrics or influx"),
        OptionSpec("output", "FILE", help: "where to write, whole or not at all (default: standard output)"),
        OptionSpec("force", help: "replace a file that is there already"),
        index,
      ]),
    Subcommand(
      name: "tail", operands: "[FILE | FOLDER | -]…",
      summary: "Prints each sample as a line of text, as it is written.",
      options: [
        OptionSpec(
          "cursor-file", "FILE",
          help: "go on where the run before ended, the first from the start of each file; nothing is left out"
        )
      ]),
    Subcommand(
      name: "record", operands: "BUCKET NAME VALUE",
      summary: "Records one value; a BUCKET of - means none.",
      options: [
        OptionSpec(
          "type", "TYPE", help: "double, int, bool or string (else the first of them that VALUE is)"),
        store,
      ]),
    Subcommand(
      name: "import", operands: "[FILE | FOLDER | -]…",
      summary:
        "Records the MetricKit payloads of files and folders, each once: JSON, wrapped or not, gzip too.",
      options: [
        store,
        OptionSpec(
          "zone", "ZONE", help: "where the devices are, for times without a zone (default: as this machine)"),
        OptionSpec("dry-run", help: "tell what would be recorded, and record nothing"),
      ]),
    Subcommand(
      name: "optimize", operands: "[FILE]",
      summary: "Drops samples that are too old, safely for whoever writes meanwhile.",
      options: [OptionSpec("keep", "AGE", help: "how old a sample may be: 30d, 12h…"), store]),
    Subcommand(
      name: "doctor", operands: "[FILE | -]…",
      summary:
        "Examines metrics files (lines, rejections with places, order of time, torn ends) and files of payloads.",
      options: []),
    Subcommand(
      name: "snapshot", operands: "[FILE]…",
      summary: "Prints one frame of a screen as text.",
      options: [
        OptionSpec(
          "screen", "NAME",
          help: "which screen: live (default), history, histogram (default for payloads) or sync"),
        OptionSpec(
          "at", "TIME", help: "the moment to stand on, as for --since of stats (default: the newest)"),
        OptionSpec(
          "metric", "NAME", help: "which bucket.name the history or the histogram shows (default: the first)"),
        OptionSpec("window", "AGE", help: "how much time they show, such as 20m (default: all)"),
      ] + histogram + [
        OptionSpec("size", "WxH", help: "columns and rows (default 120x36)"),
        OptionSpec("ansi", help: "with colours, as escape sequences"),
        OptionSpec("svg", help: "as a picture for a browser"),
      ] + looks),
    Subcommand(
      name: "simulate", operands: "SCENARIO",
      summary: "Plays a scenario of the sync engine without a screen and prints its transitions.",
      options: [
        OptionSpec("list", help: "the scenarios and their stories"),
        OptionSpec("seed", "N", help: "another course of events than the scenario's own"),
        OptionSpec("steps", "N", help: "end after so many steps"),
        OptionSpec("until", "SECONDS", help: "end at that second"),
        OptionSpec(
          "speed", "X", help: "so many times as fast as our time, 0.25 to 60 (else as fast as it can)"),
        OptionSpec("out", "FILE", help: "write a metrics file instead; the speed changes nothing in it"),
        OptionSpec(
          "what-if", "CHANGE", help: "play a second future with one change, such as 'base 5' or 'without 429'"
        ),
        OptionSpec("branch-at", "SECONDS", help: "where the second future begins (else at the start)"),
      ]),
    Subcommand(
      name: "diagram", operands: Diagram.allCases.map(\.rawValue).joined(separator: "|"),
      summary: "Prints a diagram of the sync engine, drawn from its table or from a course, for Mermaid.",
      options: []),
    Subcommand(name: "info", operands: "", summary: "Prints the version and all paths in use.", options: []),
  ]

  /// The usage line, and what each option does.
  var help: String {
    let head = ["usage: mistertop", name, "[OPTION]…", operands].filter { !$0.isEmpty }.joined(separator: " ")
    return head + "\n\n" + summary + "\n\nOptions:\n" + Self.table(of: options + Self.common)
  }

  /// The help of the program as a whole.
  static var overview: String {
    let commands = all.map { ($0.name, $0.summary) }
    let width = commands.map(\.0.count).max() ?? 0
    let rows = commands.map { "  " + $0.padding(toLength: width + 2) + $1 + "\n" }
    return """
      usage: mistertop [OPTION]… \(dashboard.operands)
             mistertop COMMAND [OPTION]… [ARGUMENT]…

      The terminal dashboard for MisterMetrics files. \(dashboard.summary)

      Commands (each explains itself with --help):
      \(rows.joined())
      Options:
      \(table(of: dashboard.options + common + [version]))
      """
  }

  private static func table(of options: [OptionSpec]) -> String {
    let names = options.map {
      ($0.letter.map { "-\($0), " } ?? "") + "--" + $0.name + ($0.value.map { "=" + $0 } ?? "")
    }
    let width = names.map(\.count).max() ?? 0
    return zip(names, options).map { "  " + $0.padding(toLength: width + 2) + $1.help + "\n" }.joined()
  }
}

extension String {
  fileprivate func padding(toLength length: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, length - count))
  }
}
