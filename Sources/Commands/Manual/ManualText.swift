import Codecs
import JSONLines
import Platform

/// The texts of the manual that belong to no single command.
enum ManualText {
  static let operands =
    "A file is one of MisterMetrics, or any file of JSON lines or of log lines; packed files, folders and - for "
    + "standard input work too. Options may follow the files, may be abbreviated, and take their value after = or a "
    + "space. After -- everything is a file. A file that is named twice is read once."

  static let values = [
    ("TIME", TimeArgument.expected),
    ("ZONE", ZoneOffsets.expected),
    ("MAPPING", LineMappingError.expected),
    (
      "QUERY",
      "names, figures with units and calculations (p95 > 2 * p50), and fields of structs, joined by and, or and not"
    ),
    ("ADDRESS", "a database that ship has filled: clickhouse[s]://[USER@]HOST[:PORT]/DATABASE"),
  ]

  static let variables = [
    ("MISTERTOP_STORE", "the default store: the file to use where none is named"),
    ("MISTERTOP_CONFIG", "the configuration file"),
    ("MISTERTOP_INDEX", "off keeps and reads no indexes"),
    ("MISTERTOP_WRITE_KEY", "the key of the source, for mistertop-send(1)"),
    ("CLICKHOUSE_PASSWORD", "the password of the server, for mistertop-ship(1)"),
    ("TERM, COLORTERM, TERMINFO, COLORFGBG", "what the terminal can do"),
    ("NO_COLOR", "no colors, unless --colors is given"),
    ("COLUMNS", "the width of help and frames where standard output is not a terminal"),
    ("LC_ALL, LC_CTYPE, LANG, TZ", "the locale, for the characters that can be drawn, and the time zone"),
    (
      "XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME",
      "the places of the files in mistertop(5)"
    ),
  ]

  static let metricsFile =
    "A metrics file has a record per line, as a JSON object: timestamp is in seconds since 2001, value is JSON in "
    + "Base64. Lines are only ever appended; lines that cannot be read are counted and skipped."

  static let record = CommandExample(
    #"{"metric":{"bucket":"sync","name":"push_ms","valueTypeString":"Double"},"timestamp":816918481.5,"value":"NDEyLjU="}"#,
    "A record, in one line")

  static let configuration =
    "Settings go into one file in JSON5: JSON with comments, names without quotes, and trailing commas. Every key is "
    + "optional; mistertop --check-config lists all errors. Options of the command line override the file."

  static var files: [(String, String)] {
    let environment = ProcessEnvironment(
      variables: ["HOME": "~"], now: Timestamp(0), exists: { _ in false })
    return [
      (
        environment.configurationFile, "the configuration, unless $MISTERTOP_CONFIG or --config names another"
      ),
      (environment.defaultStore, "the default store, unless $MISTERTOP_STORE names another"),
      (environment.indexFolder ?? "", "indexes of the history and names of functions, readable by you alone"),
      (environment.notesFolder, "marks and saved views, by the first line of the file"),
      (environment.dataFolder + "/mistertop/send", "events that wait for send, and its position"),
      (environment.logFile, "messages while the program owns the screen"),
      (environment.reportFolder, "the last ten crash reports"),
    ]
  }
}
