import Testing

@testable import JSONLines

/// Lines in the shapes of public logs, with other contents.
@Suite("Lines of text whose parts have names")
struct TextLineTests {
  static let lines: [(program: String, line: String, sample: String)] = [
    (
      "Grafana",
      #"logger=context userId=0 orgId=1 uname= t=2026-11-23T17:15:02.5Z level=info msg="Request Completed" method=GET path=/ status=302 time_ms=3 duration=250µs referer="http://a/?x=\"1\"""#,
      #"context (logfmt log) @0 817146902.5 {"userId":0,"orgId":1,"level":"info","msg":"Request Completed","method":"GET","path":"/","status":302,"time_ms":3,"duration":0.25,"referer":"http://a/?x=\"1\""}"#
    ),
    (
      "Grafana 6", #"t=2026-11-23T17:15:02.5+0000 lvl=eror msg="a\nb" logger=http.server size=29"#,
      #"http.server (logfmt log) @0 817146902.5 {"lvl":"eror","msg":"a\nb","size":29}"#
    ),
    (
      "Prometheus 2",
      #"ts=2026-11-23T17:15:02.5Z caller=head.go:1 level=info component=tsdb msg="WAL replayed" duration=1.5s"#,
      #"logfmt (logfmt log) @0 817146902.5 {"caller":"head.go:1","level":"info","component":"tsdb","msg":"WAL replayed","duration":1500}"#
    ),
    (
      "slog", #"time=2026-11-23T17:15:02.500Z level=INFO source=main.go:7 msg=ready req.ms=1.25 ok=true"#,
      #"logfmt (logfmt log) @0 817146902.5 {"level":"INFO","source":"main.go:7","msg":"ready","req.ms":1.25,"ok":true}"#
    ),
    (
      "logrus", #"time="2026-11-23T17:15:02.5Z" level=warning msg="No swap" id=12"#,
      #"logfmt (logfmt log) @0 817146902.5 {"level":"warning","msg":"No swap","id":12}"#
    ),
    (
      "Heroku's router",
      #"2026-11-23T17:15:02.5+00:00 heroku[router]: at=info method=GET path="/a b" dyno=web.1 connect=1ms service=18ms status=200 bytes=1548"#,
      #"logfmt (logfmt log) @44 817146902.5 {"pid":"router","app":"heroku","at":"info","method":"GET","path":"/a b","dyno":"web.1","connect":1,"service":18,"status":200,"bytes":1548}"#
    ),
    (
      "docker's json-file",
      #"{"log":"level=info msg=\"a b\" n=1\n","stream":"stderr","time":"2026-11-23T17:15:02.5Z"}"#,
      #"logfmt (logfmt log) @0 817146902.5 {"stream":"stderr","level":"info","msg":"a b","n":1}"#
    ),
    (
      "docker compose", "web-1  | ts=1795454102.5 level=info n=1 t=5ms",
      #"logfmt (logfmt log) @9 817146902.5 {"container":"web-1","level":"info","n":1,"t":5}"#
    ),
    (
      "nginx",
      #"10.0.0.1 - - [23/Nov/2026:17:15:02 +0000] "GET /a?b=1 HTTP/1.1" 200 2326 "-" "curl/8 \"x\"""#,
      #"access (access log) @0 817146902.0 {"remote_addr":"10.0.0.1","method":"GET","request":"GET /a?b=1 HTTP/1.1","status":"200","body_bytes_sent":2326,"http_user_agent":"curl/8 \"x\""}"#
    ),
    (
      "Apache", #"shop:443 ::1 - ann [23/Nov/2026:18:15:02 +0100] "POST / HTTP/2.0" 304 -"#,
      #"access (access log) @0 817146902.0 {"remote_addr":"::1","remote_user":"ann","method":"POST","request":"POST / HTTP/2.0","status":"304","body_bytes_sent":0}"#
    ),
    (
      "nginx under compose",
      #"web-1  | 10.0.0.1 - - [23/Nov/2026:17:15:02 +0000] "GET / HTTP/1.1" 200 5 "-" "-" "1.2.3.4""#,
      #"access (access log) @9 817146902.0 {"container":"web-1","remote_addr":"10.0.0.1","method":"GET","request":"GET / HTTP/1.1","status":"200","body_bytes_sent":5}"#
    ),
  ]

  @Test("They are read without a mapping, however the file is cut", arguments: lines)
  func read(program: String, line: String, sample: String) throws {
    let reading = try ForeignReading(line + "\n")
    #expect(reading.samples == [sample] && reading.rejections == [], "\(program)")
    #expect(try ForeignReading(line + "\n", chunk: 7) == reading)
  }

  @Test(
    "Prose, single pairs, cut texts and pairs without a time are rejected",
    arguments: [
      "a=1", "level=info done", "level=info msg=\"cut", "x = 1 y = 2", "SELECT a=1 b=2", "level=info msg=x",
      "=1 =2", "ts=1795454102.5 \"a\"=1", "a=\"1\"b c=2", "10.0.0.1 - - [23/Nov/2026:17:15:02 +0000] GET",
      "10.0.0.1 - - [x] \"GET / HTTP/1.1\" 200 5", "10.0.0.1 - - [",
    ])
  func rejected(line: String) throws {
    let reading = try ForeignReading(line + "\n")
    #expect(reading.samples == [] && reading.rejections.count == 1)
  }

  @Test("A mapping finds the time of pairs")
  func mapped() throws {
    let line = "at=1795454102.5 op=read ms=12\n"
    let reading = try ForeignReading(line, map: "time=at,name=op,value=ms")
    #expect(reading.samples == ["read (mapped) @0 817146902.5 12.0"])
    #expect(LineAdvice(excerpt: Array(line.dropLast().utf8)).mapping?.text == "time=at,name=op,value=ms")
  }
}
