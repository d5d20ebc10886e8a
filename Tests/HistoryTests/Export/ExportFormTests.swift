import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

@testable import History

@Suite("The forms of an export")
struct ExportFormTests {
  @Test func `CSV has a row for each sample and each field of a struct, quoted where it must be`() throws {
    #expect(
      try ExportRun.export(ExportRun.hard, as: .csv).replacingOccurrences(of: "\r\n", with: "\n") == #"""
        time,timestamp,bucket,name,type,field,value
        2026-11-21T14:32:07.500000Z,816964327.5,sync,push_ms,Double,,183.5
        2026-11-21T14:32:07.000000Z,816964327,sync,push_ms,Double,,-0
        2000-12-31T23:59:59.750000Z,-0.25,sync,push_ms,Double,,1e-300
        2026-11-21T14:32:07.500000Z,816964327.5,sync,total,Int,,9223372036854775807
        2001-01-01T00:00:05.000000Z,5,sync,total,Optional<Int>,,12
        2026-11-21T14:32:07.500000Z,816964327.5,sync,ok,Bool,,true
        2026-11-21T14:32:07.500000Z,816964327.5,sync,gone,Optional<Double>,,
        2026-11-21T14:32:07.500000Z,816964327.5,sync,note,String,,"say ""hi"", then
        \ go"
        2026-11-21T14:32:07.500000Z,816964327.5,sync,note,String,,""
        2026-11-21T14:32:07.500000Z,816964327.5,sync,load,Load,cpu,1.5
        2026-11-21T14:32:07.500000Z,816964327.5,sync,load,Load,io.wait,9007199254740993
        2026-11-21T14:32:07.500000Z,816964327.5,sync,load,Load,ok,true
        2026-11-21T14:32:07.500000Z,816964327.5,sync,load,Load,why,a b
        2026-11-21T14:32:07.500000Z,816964327.5,sync,load,Load,none,
        2026-11-21T14:32:07.500000Z,816964327.5,sync,load,Load,,{}
        2026-11-21T14:32:07.500000Z,816964327.5,,list,Array<Int>,,"[1,2]"
        2026-11-21T14:32:07.500000Z,816964327.5,"Grüße #1,""x""","9 lives, a=b
        \",Int,,1
        2026-11-21T14:32:07.500000Z,816964327.5,,,,,2
        ,1000000000000,sync,far,Double,,3
        ,1e+300,sync,far,Double,,4

        """#)
  }

  @Test func `JSON Lines are the very lines that were recorded`() throws {
    let odd =
      " { \"value\" : \"MQ==\", \"timestamp\":1e0 ,\"metric\":{\"name\":\"n\",\"valueTypeString\":\"Int\"},\"x\":[] }\r\n"
    let text = ExportRun.line("1") + odd + "junk\n\n" + ExportRun.line("\"Grüße\"", type: "String")
    let expected = ExportRun.line("1") + odd + ExportRun.line("\"Grüße\"", type: "String")
    #expect(try ExportRun.export(text, as: .jsonl) == expected)
    // The last line may lack its newline.
    #expect(try ExportRun.export(String(text.dropLast()), as: .jsonl) == expected)
  }

  @Test func `InfluxDB's line protocol has a field for each type, and times in nanoseconds`() throws {
    #expect(
      try ExportRun.export(ExportRun.hard, as: .influx).replacingOccurrences(of: "\r", with: "") == #"""
        sync,name=push_ms value=183.5 1795271527500000000
        sync,name=push_ms value=-0 1795271527000000000
        sync,name=push_ms value=1e-300 978307199750000000
        sync,name=total value_int=9223372036854775807i 1795271527500000000
        sync,name=total value_int=12i 978307205000000000
        sync,name=ok value_bool=true 1795271527500000000
        sync,name=note value_text="say \"hi\", then
        \\ go" 1795271527500000000
        sync,name=note value_text="" 1795271527500000000
        sync,name=load cpu=1.5,io.wait=9007199254740992,ok_bool=true,why_text="a b" 1795271527500000000
        Grüße\ #1\,"x",name=9\ lives\,\ a\=b__ value_int=1i 1795271527500000000
        _,name=_ value=2 1795271527500000000

        """#)
  }

  @Test func `OpenMetrics has each family together, in the order of time, and says where it ends`() throws {
    #expect(
      try ExportRun.export(ExportRun.hard, as: .openmetrics).replacingOccurrences(of: "\r", with: "␍") == #"""
        # TYPE sync_push_ms gauge
        sync_push_ms 1e-300 978307199.75
        sync_push_ms -0 1795271527
        sync_push_ms 183.5 1795271527.5
        # TYPE sync_total gauge
        sync_total{bucket="sync",name="total",type="Int"} 9223372036854775807 1795271527.5
        sync_total{bucket="sync",name="total",type="Optional<Int>"} 12 978307205
        # TYPE sync_ok gauge
        sync_ok 1 1795271527.5
        # TYPE sync_note unknown
        sync_note{value=""} 1 1795271527.5
        sync_note{value="say \"hi\", then␍\n\\ go"} 1 1795271527.5
        # TYPE sync_load_cpu gauge
        sync_load_cpu 1.5 1795271527.5
        # TYPE sync_load_io_wait gauge
        sync_load_io_wait{bucket="sync",name="load",type="Load",field="io.wait"} 9007199254740993 1795271527.5
        # TYPE sync_load_ok gauge
        sync_load_ok 1 1795271527.5
        # TYPE sync_load_why unknown
        sync_load_why{value="a b"} 1 1795271527.5
        # TYPE Gr__e__1__x__9_lives__a_b__ gauge
        Gr__e__1__x__9_lives__a_b__{bucket="Grüße #1,\"x\"",name="9 lives, a=b\n\\",type="Int"} 1 1795271527.5
        # TYPE _ gauge
        _ 2 1795271527.5
        # TYPE sync_far gauge
        sync_far 3 1000978307200
        # EOF

        """#)
  }

  @Test func `Metrics whose names become the same are told apart by labels`() throws {
    let text =
      ExportRun.line("1", "b_c", bucket: "a") + ExportRun.line("2", "c", bucket: "a_b")
      + ExportRun.line("3", "b.c", bucket: "a") + ExportRun.line("4", "b_c", bucket: "a", type: "Int")
    #expect(
      try ExportRun.export(text, as: .openmetrics) == #"""
        # TYPE a_b_c gauge
        a_b_c{bucket="a",name="b_c",type="Double"} 1 1795271527.5
        a_b_c{bucket="a_b",name="c",type="Double"} 2 1795271527.5
        a_b_c{bucket="a",name="b.c",type="Double"} 3 1795271527.5
        a_b_c{bucket="a",name="b_c",type="Int"} 4 1795271527.5
        # EOF

        """#)
  }

  @Test func `Fields of one name in a struct are told apart by a number`() throws {
    let value = #"{"a.b":1,"a":{"b":5,"b_2":6,"b":7},"c\u0001":true,"c\u0002":false}"#
    let text = ExportRun.line(value, "m", bucket: "k", type: "S")
    #expect(
      try ExportRun.export(text, as: .influx)
        == "k,name=m a.b=1,a.b_2=6,a.b_3=7,c__bool=true,c__2_bool=false 1795271527500000000\n")
    let metrics = try ExportRun.export(text, as: .openmetrics)
    let samples = metrics.split(separator: "\n").filter { !$0.hasPrefix("#") }
    let series = samples.map { $0.prefix { $0 != "}" } }
    #expect(samples.count == 5 && Set(series).count == 5, "\(metrics)")
    #expect(metrics.contains(#"field="a.b_2"} 6 "#), "\(metrics)")
  }

  @Test func `What has no place in a form is left out and counted`() throws {
    let text =
      ExportRun.line("null") + ExportRun.line("[1]") + ExportRun.line("1", time: 1e12) + ExportRun.line("1")
    let folder = NSTemporaryDirectory()
    for (format, omitted) in [(ExportFormat.csv, 0), (.jsonl, 0), (.openmetrics, 2), (.influx, 3)] {
      let result = try ExportRun.export(text, as: format.writer(temporaryFolder: folder))
      #expect(result.omitted == omitted && result.written == 4 - omitted, "\(format)")
    }
  }

  @Test func `Only what is wanted is written`() throws {
    let text = (0..<10).map { ExportRun.line("\($0)", $0 % 2 == 0 ? "even" : "odd", time: Double($0)) }
      .joined()
    let filter = ExportStream.Filter(since: Timestamp(2), until: Timestamp(7)) { $0.name == "odd" }
    let result = try ExportRun.export(text, as: JSONLinesWriter(), filter: filter)
    #expect(result.text == [3, 5, 7].map { ExportRun.line("\($0)", "odd", time: Double($0)) }.joined())
    #expect(result.written == 3 && result.omitted == 0)
  }

  static let moments: [(time: Double, iso: String, unix: String, nanoseconds: Int64?)] = [
    (0, "2001-01-01T00:00:00.000000Z", "978307200", 978_307_200_000_000_000),
    (816_964_327.123456, "2026-11-21T14:32:07.123456Z", "1795271527.123456001", 1_795_271_527_123_456_001),
    (-978_307_200.25, "1969-12-31T23:59:59.750000Z", "-0.25", -250_000_000),
    (-978_307_201.25, "1969-12-31T23:59:58.750000Z", "-1.25", -1_250_000_000),
    (0.9999999, "2001-01-01T00:00:01.000000Z", "978307200.9999999", 978_307_200_999_999_900),
    (-63_113_904_000, "0001-01-01T00:00:00.000000Z", "-62135596800", nil),
    (252_423_993_599, "9999-12-31T23:59:59.000000Z", "253402300799", nil),
    (252_423_993_600, "", "253402300800", nil), (-1e12, "", "-999021692800", nil),
    (5_097_600, "2001-03-01T00:00:00.000000Z", "983404800", 983_404_800_000_000_000),
    (1e300, "", "", nil), (-1e300, "", "", nil), (1e18, "", "1000000000978307200", nil),
    (8_244_000_000, "2262-03-30T16:00:00.000000Z", "9222307200", 9_222_307_200_000_000_000),
    (8_246_000_000, "2262-04-22T19:33:20.000000Z", "9224307200", nil),
  ]

  @Test(arguments: moments)
  func `A moment is written as others read it`(
    moment: (time: Double, iso: String, unix: String, nanoseconds: Int64?)
  ) {
    var (iso, unix): ([UInt8], [UInt8]) = ([], [])
    ExportTime.appendISO(Timestamp(moment.time), to: &iso)
    ExportTime.appendUnixSeconds(Timestamp(moment.time), to: &unix)
    #expect(String(decoding: iso, as: UTF8.self) == moment.iso)
    #expect(String(decoding: unix, as: UTF8.self) == moment.unix)
    #expect(ExportTime.unixNanoseconds(Timestamp(moment.time)) == moment.nanoseconds)
  }

  @Test func `Dates are those of the system's calendar`() {
    var generator = SeededGenerator(seed: 3)
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    for _ in 0..<500 {
      // From 1600 on: the system's calendar leaves days out in 1582.
      let time = Double.random(in: -12_654_000_000..<252_423_993_600, using: &generator).rounded()
      let date = Date(timeIntervalSinceReferenceDate: time)
      var iso: [UInt8] = []
      ExportTime.appendISO(Timestamp(time), to: &iso)
      #expect(String(decoding: iso, as: UTF8.self).replacing(".000000Z", with: "Z") == date.ISO8601Format())
    }
  }

  @Test("a payload that was recorded in pieces comes back whole, one without all of them not at all")
  func pieces() throws {
    func piece(_ number: Int, _ text: String, _ source: String = "a#1") -> String {
      ExportRun.line(
        #"{"piece":\#(number),"pieces":2,"source":"\#(source)","text":\#(ExportRun.quoted(text))}"#,
        "payload.json", bucket: "payload", type: "PayloadOriginal")
    }
    let whole = piece(0, #"{"payload":{"a":"#) + piece(1, "[1,2]}}")
    #expect(try ExportRun.export(whole, as: .metrickit) == "{\"a\":[1,2]}\n")
    for torn in [piece(1, "[1,2]}}"), piece(0, "{") + piece(1, "}", "b#2"), piece(0, "{") + piece(0, "{")] {
      #expect(try ExportRun.export(torn, as: .metrickit).isEmpty)
    }
  }

}
