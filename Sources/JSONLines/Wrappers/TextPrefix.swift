import Codecs

/// Text that other programs put before a line: container runtimes, `docker compose`, `kubectl`, syslog, loggers.
///
/// Prefixes may follow one another, such as a pod's name, a time and a level.
struct TextPrefix {
  /// A line without its prefix.
  enum Inner {
    /// The range of the JSON, or of a text that stands for it.
    case line(Range<Int>)
    /// A piece of a line that the container runtime cut, from its stream; `isLast` for its end.
    case piece(Range<Int>, stream: UInt8, isLast: Bool)
    /// A line of the program's own that holds no sample.
    case none
  }

  /// Maximum prefixes that follow one another.
  private static let stepLimit = 8
  /// Maximum length of other text before the JSON, in bytes.
  private static let textLimit = 256

  private var cursor: TextCursor

  private init(_ line: UnsafeRawBufferPointer) { cursor = TextCursor(line) }

  /// Splits a line that does not begin with what can be read; `nil` if nothing such follows.
  static func peel(
    _ line: UnsafeRawBufferPointer, _ moment: inout MomentText, _ surroundings: inout LineSurroundings
  ) -> Inner? {
    var prefix = TextPrefix(line)
    if prefix.cursor.take("Filtering the log data using ") { return Inner.none }
    for step in 0..<stepLimit {
      prefix.cursor.skipSpace()
      if prefix.cursor.isAtEnd || step == 0 && prefix.isAtObject { return nil }
      let rest = prefix.cursor.position..<line.count
      if prefix.isAtObject || step > 0 && TextLine.object(prefix.cursor.slice(rest)) != nil {
        return .line(rest)
      }
      if prefix.takeTime(&moment, &surroundings) {
        if let piece = prefix.takeStream(&surroundings) { return piece }
        prefix.takeOrigin(&surroundings)
      } else if prefix.takeService(&surroundings) || prefix.takeBrackets(&moment, &surroundings) {
        continue
      } else if prefix.takePriority(&moment, &surroundings) {
        prefix.takeOrigin(&surroundings)
      } else {
        return prefix.takeText(&surroundings) ? .line(prefix.cursor.position..<line.count) : nil
      }
    }
    return nil
  }

  private var isAtObject: Bool { cursor.next == UInt8(ascii: "{") }

  /// `2026-11-26T13:33:20.123Z` or `2026-11-26 13:33:20,123`.
  private mutating func takeTime(_ moment: inout MomentText, _ surroundings: inout LineSurroundings) -> Bool {
    guard cursor.next &- UInt8(ascii: "0") < 10, let first = cursor.word(limit: 40) else {
      return takeMonth()
    }
    // A day alone is a time too, but not if that of the day follows.
    let isDay = !cursor.slice(first).contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "T") }
    let ranges = [first, second(after: first)]
    for range in isDay ? ranges.reversed() : ranges {
      guard let range, let time = moment.seconds(cursor.slice(range)) else { continue }
      surroundings.time = surroundings.time ?? time
      cursor.position = range.upperBound
      cursor.skipSpace()
      return true
    }
    return false
  }

  /// A word and the one after it.
  private func second(after first: Range<Int>) -> Range<Int>? {
    var next = cursor
    next.position = first.upperBound
    next.skipSpace()
    return next.word(limit: 40).map { first.lowerBound..<$0.upperBound }
  }

  /// `Nov 26 13:33:20`, the time of the older syslog.
  ///
  /// It has no year, so it is only skipped.
  private mutating func takeMonth() -> Bool {
    var next = cursor
    guard let month = next.takeWord(), month.count == 3, CalendarName.month(month) != nil,
      let day = next.takeWord(), day.count <= 2, let time = next.takeWord(), time.count == 8,
      time[2] == UInt8(ascii: ":"), time[5] == UInt8(ascii: ":")
    else { return false }
    cursor = next
    return true
  }

  /// `stdout F `, as the container runtime interface writes it after the time.
  private mutating func takeStream(_ surroundings: inout LineSurroundings) -> Inner? {
    var next = cursor
    let isError = next.take("stderr ")
    guard isError || next.take("stdout ") else { return nil }
    let isLast = next.take("F ")
    guard isLast || next.take("P ") else { return nil }
    surroundings.add("stream", text: cursor.slice(cursor.position..<cursor.position + 6))
    return .piece(next.position..<next.text.count, stream: isError ? 2 : 1, isLast: isLast)
  }

  /// `shop-1  | ` of `docker compose`.
  private mutating func takeService(_ surroundings: inout LineSurroundings) -> Bool {
    var next = cursor
    guard let name = next.takeWord(), next.take("|"), name.allSatisfy(Self.isNameByte) else { return false }
    surroundings.add("container", text: name)
    cursor = next
    return true
  }

  /// True for the bytes that names of services, hosts and members are made of.
  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "@"), UInt8(ascii: "/"):
      true
    default: false
    }
  }

  /// `[pod/shop-7d9/shop] ` of `kubectl --prefix`, or any other word or time in brackets.
  private mutating func takeBrackets(
    _ moment: inout MomentText, _ surroundings: inout LineSurroundings
  ) -> Bool {
    guard cursor.next == UInt8(ascii: "[") else { return false }
    let start = cursor.position + 1
    guard
      let end = cursor.text[start...].prefix(Self.textLimit).firstIndex(where: {
        $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "\"") || $0 < 0x20
      }), cursor.text[end] == UInt8(ascii: "]"), end > start
    else { return false }
    let content = cursor.slice(start..<end)
    let parts = content.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if let time = moment.seconds(content) {
      surroundings.time = surroundings.time ?? time
    } else if parts.count == 3, parts[0].elementsEqual("pod".utf8) {
      surroundings.add("pod", text: UnsafeRawBufferPointer(rebasing: parts[1]))
      surroundings.add("container", text: UnsafeRawBufferPointer(rebasing: parts[2]))
    } else {
      surroundings.add(LogLevelWord.isLevel(content) ? "level" : "prefix", text: content)
    }
    cursor.position = end + 1
    return true
  }

  /// `<34>` of syslog; with the version 1, also host, program, process and structured data.
  private mutating func takePriority(
    _ moment: inout MomentText, _ surroundings: inout LineSurroundings
  ) -> Bool {
    var next = cursor
    guard next.take("<"), let end = next.text[next.position...].prefix(4).firstIndex(of: UInt8(ascii: ">")),
      let priority = Decimals.wholeNumber(next.slice(next.position..<end)), priority < 192
    else { return false }
    surroundings.add("severity", text: Self.severities[priority & 7])
    next.position = end + 1
    cursor = next
    guard next.take("1 ") else {
      _ = takeTime(&moment, &surroundings)
      return true
    }
    cursor = next
    if cursor.next == UInt8(ascii: "-") {
      _ = cursor.takeWord()
    } else {
      _ = takeTime(&moment, &surroundings)
    }
    for name in ["host", "app", "pid"] as [StaticString] {
      guard let word = cursor.takeWord() else { return true }
      if !word.elementsEqual("-".utf8) { surroundings.add(name, text: word) }
    }
    _ = cursor.takeWord()
    takeStructuredData()
    return true
  }

  private static let severities: [StaticString] = [
    "emerg", "alert", "crit", "error", "warn", "notice", "info", "debug",
  ]

  /// `-` or `[id name="value"]…` of RFC 5424, and the byte order mark before its message.
  private mutating func takeStructuredData() {
    if !cursor.take("- ") {
      while cursor.next == UInt8(ascii: "[") {
        var place = cursor.position
        var isQuoted = false
        while place < cursor.text.count, isQuoted || cursor.text[place] != UInt8(ascii: "]") {
          if cursor.text[place] == UInt8(ascii: "\\") {
            place += 1
          } else if cursor.text[place] == 0x22 {
            isQuoted.toggle()
          }
          place += 1
        }
        guard place < cursor.text.count else { return }
        cursor.position = place + 1
      }
    }
    cursor.skipSpace()
    _ = cursor.take("\u{FEFF}")
  }

  /// `web-1 shop[123]: ` of syslog after its time, or `app[web.1]: ` without a host.
  private mutating func takeOrigin(_ surroundings: inout LineSurroundings) {
    var next = cursor
    guard var tag = next.takeWord() else { return }
    var host: UnsafeRawBufferPointer?
    if tag.last != UInt8(ascii: ":") {
      guard let second = next.takeWord(), second.last == UInt8(ascii: ":") else { return }
      (host, tag) = (tag, second)
    }
    guard !tag.contains(UInt8(ascii: "{")), host?.allSatisfy(Self.isNameByte) ?? true else { return }
    tag = UnsafeRawBufferPointer(rebasing: tag.dropLast())
    guard !LogLevelWord.isLevel(tag) else { return }
    if let host { surroundings.add("host", text: host) }
    if tag.last == UInt8(ascii: "]"), let open = tag.firstIndex(of: UInt8(ascii: "[")) {
      surroundings.add("pid", text: UnsafeRawBufferPointer(rebasing: tag[(open + 1)..<tag.count - 1]))
      tag = UnsafeRawBufferPointer(rebasing: tag[..<open])
    }
    surroundings.add("app", text: tag)
    cursor = next
  }

  /// Any other short text before an object: a logger's, or pod and container of stern.
  private mutating func takeText(_ surroundings: inout LineSurroundings) -> Bool {
    let start = cursor.position
    guard
      let brace = cursor.text[start...].prefix(Self.textLimit).firstIndex(where: {
        $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "\"") || $0 < 0x20 && $0 != 0x09 && $0 != 0x1B
      }), cursor.text[brace] == UInt8(ascii: "{"), brace > start, Self.endsPrefix(cursor.text[brace - 1])
    else { return false }
    var text = TextCursor(cursor.slice(start..<brace))
    cursor.position = brace
    let words = text.words()
    if words.count == 2, words[0].filter({ $0 == UInt8(ascii: "-") }).count >= 2,
      words.allSatisfy({ $0.allSatisfy(Self.isNameByte) })
    {
      surroundings.add("pod", text: words[0])
      surroundings.add("container", text: words[1])
      return true
    }
    for word in words {
      let isLevel = LogLevelWord.isLevel(word)
      if isLevel { surroundings.add("level", text: word) }
      if !isLevel, word.contains(where: Self.isNameByte) { surroundings.add("prefix", text: word) }
    }
    return true
  }
}

extension TextPrefix {
  /// False for bytes that rather belong to a damaged line than to text before one.
  private static func endsPrefix(_ byte: UInt8) -> Bool {
    [0x20, 0x09, UInt8(ascii: "]"), UInt8(ascii: ")")].contains(byte)
  }
}

extension TextCursor {
  /// All words, without brackets and punctuation around them.
  fileprivate mutating func words() -> [UnsafeRawBufferPointer] {
    var words: [UnsafeRawBufferPointer] = []
    skipSpace()
    while let word = takeWord(), words.count < 16 {
      let punctuation = Set("[]()|:,-".utf8)
      let start = word.firstIndex { !punctuation.contains($0) }
      let end = word.lastIndex { !punctuation.contains($0) }
      if let start, let end { words.append(UnsafeRawBufferPointer(rebasing: word[start...end])) }
    }
    return words
  }
}

/// Words that loggers write for a level.
enum LogLevelWord {
  private static let words: [StaticString] = [
    "TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "FATAL", "CRITICAL", "NOTICE",
  ]

  static func isLevel(_ text: UnsafeRawBufferPointer) -> Bool {
    words.contains { word in
      guard text.count == word.utf8CodeUnitCount else { return false }
      return (0..<text.count).allSatisfy { text[$0] & 0xDF == word.utf8Start[$0] }
    }
  }
}

extension LineSurroundings {
  /// Adds a word under a name.
  mutating func add(_ name: StaticString, text: StaticString) {
    add(name, text: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
