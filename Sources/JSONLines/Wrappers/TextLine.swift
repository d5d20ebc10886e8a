import Codecs

/// Lines of text whose parts have names, written as objects: logfmt, and the access logs of web servers.
///
/// A line that does not fit as a whole is left to other readers.
enum TextLine {
  /// The line as a JSON object, and its format; `nil` for any other line.
  static func object(_ line: UnsafeRawBufferPointer) -> (json: [UInt8], format: ForeignFormat)? {
    pairs(line).map { ($0, .logfmt) } ?? request(line).map { ($0, .accessLog) }
  }

  // MARK: logfmt

  /// `level=info msg="request done" duration=12ms`; at least two pairs, and nothing else.
  private static func pairs(_ line: UnsafeRawBufferPointer) -> [UInt8]? {
    var (cursor, json, count) = (TextCursor(line), [UInt8](), 0)
    var first = cursor
    // Most lines end here, before anything is allocated.
    guard key(&first) != nil else { return nil }
    var object = ObjectWriter(&json)
    while !cursor.isAtEnd {
      guard let key = key(&cursor), let value = value(&cursor) else { return nil }
      count += 1
      cursor.skipAll(" \t\r\n")
      // A pair without a value says nothing.
      guard !value.text.isEmpty else { continue }
      // Grafana's time; a `t` may also be a short number.
      if value.text.count >= 19, key.elementsEqual("t".utf8) {
        object.key("time", to: &json)
      } else {
        object.key(key, prefix: "", to: &json)
      }
      append(value.text, isQuoted: value.isQuoted, to: &json)
    }
    object.close(&json)
    return count >= 2 ? json : nil
  }

  /// The name before an equals sign, which is skipped.
  private static func key(_ cursor: inout TextCursor) -> UnsafeRawBufferPointer? {
    let start = cursor.position
    guard cursor.isAtLetter || cursor.next == UInt8(ascii: "_") || cursor.next == UInt8(ascii: "@") else {
      return nil
    }
    while !cursor.isAtEnd, cursor.next != UInt8(ascii: "=") {
      // Heroku's measurements are named `sample#memory`.
      guard TextPrefix.isNameByte(cursor.next) || cursor.next == UInt8(ascii: "#") else { return nil }
      cursor.position += 1
    }
    let key = cursor.slice(start..<cursor.position)
    return cursor.skip(UInt8(ascii: "=")) && key.count <= 128 ? key : nil
  }

  /// The value at the position: a text in quotes, or everything up to the next white space.
  private static func value(_ cursor: inout TextCursor) -> (text: [UInt8], isQuoted: Bool)? {
    let start = cursor.position
    guard cursor.skip(UInt8(ascii: "\"")) else {
      while cursor.next > 0x20 { cursor.position += 1 }
      return (Array(cursor.slice(start..<cursor.position)), false)
    }
    var text: [UInt8] = []
    while !cursor.isAtEnd {
      let byte = cursor.next
      cursor.position += 1
      if byte == UInt8(ascii: "\"") { return cursor.next <= 0x20 ? (text, true) : nil }
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      switch cursor.next {
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(cursor.next)
      default: text += [byte, cursor.next]
      }
      cursor.position += 1
    }
    return nil
  }

  private static func append(_ text: [UInt8], isQuoted: Bool, to json: inout [UInt8]) {
    let isWord = ["true", "false", "null"].contains { text.elementsEqual($0.utf8) }
    if !isQuoted, isWord || text.withUnsafeBytes({ LineLexer.isNumber($0) }) {
      json += text
    } else {
      JSONWriter.append(text: String(decoding: text, as: UTF8.self), to: &json, escapesSlashes: false)
    }
  }

  // MARK: Access logs

  /// The parts of a request behind its time, by nginx's names.
  private static let names: [StaticString] = [
    "request", "status", "body_bytes_sent", "http_referer", "http_user_agent",
  ]

  /// `127.0.0.1 - ann [26/Nov/2026:08:51:35 +0100] "GET /a HTTP/1.1" 200 2326 "referer" "agent"`, the common and
  /// combined formats; the requested host may come first.
  private static func request(_ line: UnsafeRawBufferPointer) -> [UInt8]? {
    // JSON behind a prefix ends here, before anything is allocated.
    guard line.last != UInt8(ascii: "}") else { return nil }
    var (cursor, words, json) = (TextCursor(line), [UnsafeRawBufferPointer](), [UInt8]())
    while words.count < 4, cursor.next != UInt8(ascii: "["), let word = cursor.takeWord() {
      words.append(word)
    }
    let start = cursor.position + 1
    guard words.count >= 3, cursor.skip(UInt8(ascii: "[")), cursor.skip(past: UInt8(ascii: "]")) else {
      return nil
    }
    var object = ObjectWriter(&json)
    func add(_ name: StaticString, _ text: [UInt8], isQuoted: Bool = true) {
      guard !text.isEmpty, !text.elementsEqual("-".utf8) else { return }
      object.key(name, to: &json)
      append(text, isQuoted: isQuoted, to: &json)
    }
    add("time", Array(cursor.slice(start..<cursor.position - 1)))
    add("remote_addr", Array(words[words.count - 3]))
    add("remote_user", Array(words[words.count - 1]))
    for (place, name) in names.enumerated() {
      cursor.skipSpaces()
      let isText = place == 0 || place > 2
      guard (cursor.next == UInt8(ascii: "\"")) == isText, !cursor.isAtEnd, let part = value(&cursor) else {
        // The common format ends after the bytes.
        guard place > 2 else { return nil }
        break
      }
      if place == 0, let method = part.text.split(separator: 0x20).first { add("method", Array(method)) }
      // No bytes are written as a hyphen.
      let isNothing = place == 2 && part.text.elementsEqual("-".utf8)
      add(name, isNothing ? [UInt8(ascii: "0")] : part.text, isQuoted: place != 2)
    }
    object.close(&json)
    return json
  }
}
