import Testing

@testable import JSONLines

@Suite("Lines inside what other programs wrote around them")
struct WrapperTests {
  private static let inner =
    #"{"level":30,"time":1795454102500,"pid":7,"msg":"a \"b\"","responseTime":12}"#
  private static let bare = #"{"msg":"x","ms":4}"#

  private static func escaped(_ line: String) -> String {
    line.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }

  /// A line around `inner`, and the dimensions that it adds.
  static let wrappers: [(line: @Sendable (String) -> String, dimensions: String)] = [
    (
      { #"{"log":"\#(escaped($0))\n","stream":"stdout","time":"2026-11-23T17:15:02.5Z"}"# },
      #""stream":"stdout""#
    ),
    (
      {
        #"{"log":"\#(escaped($0))\n","stream":"stderr","attrs":{"tag":"t"},"time":"2026-11-23T17:15:02.5Z"}"#
      },
      #""stream":"stderr","attrs":{"tag":"t"}"#
    ),
    ({ "2026-11-23T17:15:02.500000000+00:00 stdout F " + $0 }, #""stream":"stdout""#),
    ({ "shop-1  | " + $0 }, #""container":"shop-1""#),
    ({ "\u{1B}[36mshop-1  | \u{1B}[0m" + $0 }, #""container":"shop-1""#),
    ({ "shop-1  | 2026-11-23T17:15:02.5Z " + $0 }, #""container":"shop-1""#),
    ({ "2026-11-23T17:15:02.500000000Z " + $0 }, ""),
    ({ "[pod/shop-7d9-x/shop] " + $0 }, #""pod":"shop-7d9-x","container":"shop""#),
    ({ "[pod/a/b] 2026-11-23T17:15:02.5Z " + $0 }, #""pod":"a","container":"b""#),
    ({ "[api] " + $0 }, #""prefix":"api""#),
    (
      { "<165>1 2026-11-23T17:15:02.5Z web-1 shop 871 ID47 - " + $0 },
      #""severity":"notice","host":"web-1","app":"shop","pid":"871""#
    ),
    (
      { #"<11>1 2026-11-23T17:15:02.5Z web-1 shop - - [x@1 a="]"] \#u{FEFF}"# + $0 },
      #""severity":"error","host":"web-1","app":"shop""#
    ),
    (
      { "<34>Nov 23 17:15:02 web-1 shop[87]: " + $0 },
      #""severity":"crit","host":"web-1","pid":"87","app":"shop""#
    ),
    ({ "Nov  3 17:15:02 web-1 shop: " + $0 }, #""host":"web-1","app":"shop""#),
    ({ "2026-11-23T18:15:02.5+01:00 web-1 shop[87]: " + $0 }, #""host":"web-1","pid":"87","app":"shop""#),
    ({ "2026-11-23T17:15:02.5+00:00 app[web.1]: " + $0 }, #""pid":"web.1","app":"app""#),
    ({ "shop-7d9f-abc shop " + $0 }, #""pod":"shop-7d9f-abc","container":"shop""#),
    ({ "2026-11-23 17:15:02,500 INFO [main] shop.orders - " + $0 }, #""level":"INFO","prefix":"main""#),
    (
      { #"{"podName":"p","containerName":"c","namespace":"n","message":"\#(escaped($0))"}"# },
      #""pod":"p","container":"c","namespace":"n""#
    ),
    (
      {
        #"{"__CURSOR":"s=1","__REALTIME_TIMESTAMP":"1795454102500000","_HOSTNAME":"h","PRIORITY":"6","#
          + #""_SYSTEMD_UNIT":"shop.service","SYSLOG_IDENTIFIER":"shop","MESSAGE":"\#(escaped($0))"}"#
      }, #""host":"h","unit":"shop.service","app":"shop""#
    ),
    (
      { #"{"labels":{"app":"shop"},"line":"\#(escaped($0))","timestamp":"2026-11-23T17:15:02.5Z"}"# },
      #""labels":{"app":"shop"}"#
    ),
    ({ "data: " + $0 }, #""prefix":"data""#),
    (
      { "shop-1  | " + #"{"log":"\#(escaped($0))\n","stream":"stdout","time":"2026-11-23T17:15:02.5Z"}"# },
      #""container":"shop-1","stream":"stdout""#
    ),
  ]

  private static func offset(_ sample: String) -> String {
    sample.replacing(/@\d+/, with: "@")
  }

  @Test("are read as without it, with it as dimensions", arguments: wrappers.indices)
  func wrapped(index: Int) throws {
    let (line, dimensions) = Self.wrappers[index]
    let reading = try ForeignReading(line(Self.inner) + "\n" + line(Self.inner) + "\n")
    #expect(reading.rejections == [])
    let own = #""pid":"7","msg":"a \"b\"","responseTime":12}"#
    let kept = dimensions.replacing(/,?"(level|pid)":"[^"]*"/, with: "")
    let comma = kept.isEmpty || kept.hasPrefix(",") ? "" : ","
    let payload =
      "{" + kept.drop { $0 == "," } + (kept.hasPrefix(",") ? "," : comma) + #""level":"info","# + own
    let sample = "pino (pino log) @ 817146902.5 " + payload
    #expect(reading.samples.map(Self.offset) == [sample, sample])
  }

  @Test(
    "take the time from outside where they have none of their own", arguments: [0, 2, 5, 6, 10, 14, 18, 19])
  func outerTime(index: Int) throws {
    let reading = try ForeignReading(Self.wrappers[index].line(Self.bare))
    if index == 18 {
      // stern's JSON has no time.
      #expect(reading.samples == [] && reading.rejections.count == 1)
    } else {
      #expect(reading.rejections == [])
      #expect(
        reading.samples.map { $0.hasPrefix("log (JSON log) @") && $0.contains(" 817146902.5 ") } == [true])
    }
  }

  @Test("are read by a mapping for the inner line", arguments: wrappers.indices)
  func mapped(index: Int) throws {
    let line = Self.wrappers[index].line(#"{"at":1795454102.5,"op":"read \"x\"","ms":12}"#)
    let reading = try ForeignReading(line, map: "time=at,name=op,value=ms")
    #expect(reading.rejections == [])
    #expect(reading.samples.map(Self.offset) == [#"read "x" (mapped) @ 817146902.5 12.0"#])
  }

  @Test("may be MisterMetrics' own")
  func own() throws {
    let line = #"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":816918481.5,"value":"MTI="}"#
    let text = Self.wrappers.map { $0.line(line) + "\n" }.joined()
    let reading = try ForeignReading(text)
    #expect(reading.rejections == [])
    #expect(
      reading.samples.map(Self.offset)
        == Array(repeating: "n (Int) @ 816918481.5 12.0", count: Self.wrappers.count))
  }

  @Test("keep a name of their own before one from outside")
  func clash() throws {
    let reading = try ForeignReading(
      #"shop-1  | {"time":"2026-11-23T17:15:02.5Z","level":"info","container":"mine","msg":"m","n":1}"#)
    #expect(reading.samples.count == 1)
    #expect(reading.samples[0].hasSuffix(#"{"level":"info","container":"mine","msg":"m","n":1}"#))
  }

  @Test("are joined where the runtime cut them, each stream by itself")
  func pieces() throws {
    let (one, two) = (Self.inner.prefix(30), Self.inner.dropFirst(30))
    let cut = [
      "2026-11-23T17:15:02.1Z stdout P \(one)", "2026-11-23T17:15:02.2Z stderr F \(Self.inner)",
      "2026-11-23T17:15:02.3Z stderr P \(one)", "2026-11-23T17:15:02.3Z stdout F \(two)",
      "2026-11-23T17:15:02.4Z stderr F \(two)",
    ]
    for chunk in [Int.max, 7] {
      let reading = try ForeignReading(cut.joined(separator: "\n") + "\n", chunk: chunk)
      #expect(reading.rejections == [])
      #expect(
        reading.samples.map { $0.split(separator: "\"")[2...3].joined() } == [
          ":stderr", ":stdout", ":stderr",
        ])
    }
  }

  @Test("are joined where docker cut them, also right before the end", arguments: [16_336, 16_500, 40_000])
  func dockerPieces(count: Int) throws {
    let start = #"{"level":30,"time":1795454102500,"msg":""#
    let long = start + String(repeating: "x", count: count) + #"","n":1}"#
    var rest = (long + "\n")[...]
    var lines = ""
    while !rest.isEmpty {
      let piece = Self.escaped(String(rest.prefix(16_384))).replacing("\n", with: "\\n")
      lines += #"{"log":"\#(piece)","stream":"stdout","time":"2026-11-23T17:15:02.5Z"}"# + "\n"
      rest = rest.dropFirst(16_384)
    }
    let reading = try ForeignReading(lines)
    #expect(reading.rejections == [] && reading.samples.count == 1)
    #expect(reading.samples.first?.hasSuffix(#","n":1}"#) == true)
  }

  @Test("are joined wherever a file is divided for its readers")
  func divided() throws {
    let (one, two, three) = (
      Self.inner.prefix(20), Self.inner.dropFirst(20).prefix(20), Self.inner.dropFirst(40)
    )
    let record = [
      "2026-11-23T17:15:02.1Z stdout P \(one)", "2026-11-23T17:15:02.2Z stderr F \(Self.inner)",
      "2026-11-23T17:15:02.3Z stdout P \(two)", "2026-11-23T17:15:02.4Z stdout F \(three)",
    ].map { $0 + "\n" }.joined()
    let bytes = Array((record + record).utf8)
    for middle in 0...bytes.count {
      var offsets: [UInt64] = []
      for range in [0..<UInt64(middle), UInt64(middle)..<UInt64(bytes.count)] {
        var (reader, batch) = (RangeReader(range: range), SampleBatch())
        while !reader.isDone {
          let start = min(Int(reader.position), bytes.count)
          let part =
            Array(bytes[start..<min(start + 600, bytes.count)]) + [UInt8](repeating: 0, count: FileScan.slack)
          part.withUnsafeBytes {
            reader.take(UnsafeRawBufferPointer(rebasing: $0.dropLast(FileScan.slack)), into: &batch)
          }
        }
        #expect(reader.scanner.rejections.total == 0, "cut at \(middle)")
        offsets += batch.samples.map(\.offset)
      }
      #expect(
        offsets.count == 4 && Set(offsets).count == 4 && offsets == offsets.sorted(), "cut at \(middle)")
    }
  }

  static let others = [
    "plain text", "shop-1  | plain text", "2026-11-23T17:15:02.5Z stdout F plain", "[1,2] {", "{ \"a\":1",
    #"name":"x","valueTypeString":"Int"},"timestamp":1,"x":{"level":"info","msg":"m","time":1795454102500}"#,
    #"{"log":"plain {text}\n","stream":"stdout","time":"2026-11-23T17:15:02.5Z"}"#, "<34>", "<34>1 ",
    "\u{1B}[36m", "2026-11-23T17:15:02.5Z stdout F ", "shop-1 |", "x {}", "<999>{}", "data: [1]",
  ]

  @Test("are rejected where there is no sample inside", arguments: others)
  func other(line: String) throws {
    let reading = try ForeignReading(line + "\n")
    #expect(reading.samples == [] && reading.rejections.count == 1)
  }

  @Test("say of a line of prose inside that it is none of JSON")
  func prose() throws {
    let line = #"{"log":"GET / 200\n","stream":"stdout","time":"2026-11-23T17:15:02.5Z"}"#
    #expect(try ForeignReading(line + "\n").rejections == ["0 notJSONInside"])
  }
}
