/// The words of a member's name, which say what its text is: an amount, a label, or an address.
struct MemberWords {
  private let words: [String]

  /// Splits `request_time`, `responseSize`, `requestID` and `name2` into words; digits belong to none.
  init(_ name: UnsafeRawBufferPointer) {
    guard name.count <= 64, name.allSatisfy({ $0 < 0x80 }) else {
      words = []
      return
    }
    func isLetter(_ place: Int, from first: Unicode.Scalar) -> Bool {
      name.indices.contains(place) && name[place] &- UInt8(ascii: first) < 26
    }
    var words = [""]
    for place in name.indices {
      let isCapital = isLetter(place, from: "A")
      if isCapital, !isLetter(place - 1, from: "A") || isLetter(place + 1, from: "a") { words.append("") }
      if isCapital || isLetter(place, from: "a") {
        words[words.count - 1].unicodeScalars.append(Unicode.Scalar(name[place] | 0x20))
      } else {
        words.append("")
      }
    }
    words.removeAll { $0.isEmpty }
    self.words = words
  }

  private static let amounts: Set<String> = [
    "time", "duration", "latency", "elapsed", "took", "bytes", "size", "length", "count", "total", "ms",
    "msec", "sec", "secs", "seconds", "millis", "milliseconds", "micros", "nanos", "ns", "us", "rate",
    "ratio", "percent", "load", "cpu", "memory", "mem", "rss", "wait", "delay", "lag", "depth", "amount",
    "price", "cost", "byte", "len", "ttfb", "rtt", "age", "kb", "mb", "gb", "kib", "mib", "gib", "pct",
    "usage", "throughput", "bandwidth", "speed", "requests", "connections", "sessions", "threads", "retries",
    "attempts", "errors", "failures", "value", "sum", "avg", "average", "mean", "median", "min", "max",
    "score", "quantity", "qty", "balance", "distance", "temperature", "humidity", "pressure", "voltage",
  ]

  /// Amounts whose parts are named behind them, as in `time_backend_response`.
  private static let wholes: Set<String> = ["time", "duration", "latency", "bytes"]

  /// Times of day rather than durations, in one word.
  private static let moments: Set<String> = [
    "datetime", "starttime", "endtime", "localtime", "mtime", "ctime", "atime",
  ]

  private static let labels: Set<String> = [
    "id", "ids", "version", "name", "hash", "key", "tag", "label", "code", "zone", "region", "path", "build",
    "sha", "uuid", "guid", "commit", "revision", "branch", "digest", "token", "user", "host", "hostname",
    "filename", "username", "msg", "message", "title",
  ]

  private static let addresses: Set<String> = ["ip", "addr", "address", "peer"]

  /// True for a duration or a time of day: `request_time`, `start_time`, `time_unix`, `responsetime`.
  var isTime: Bool {
    words.contains { $0.hasSuffix("time") } && !words.contains(where: Self.moments.contains)
  }

  /// True if the name is that of an amount: its last word says so, or its first one.
  var isAmount: Bool {
    guard let last = words.last else { return false }
    // As in `bytes_sent` and `time_taken`.
    let isParticiple = ["sent", "taken", "received", "used", "in", "out"].contains(last)
    return isTime && last.hasSuffix("time") || Self.amounts.contains(last)
      || isParticiple && words.contains(where: Self.amounts.contains)
      || words.first.map(Self.wholes.contains) ?? false && !isLabel
  }

  /// True if the name is that of an identity, whose text is a label even if it looks like a duration.
  var isLabel: Bool { words.last.map(Self.labels.contains) ?? false }

  /// True for `ClientIP`, `remote_addr` and `peer`.
  var isAddress: Bool { words.contains(where: Self.addresses.contains) }
}
