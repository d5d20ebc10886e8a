import Testing

@testable import JSONLines

@Suite("Formats with inner times and names of their own")
struct NestedFormatTests {
  static let logs: [(line: String, samples: [String])] = [
    (
      #"{"t":{"$date":"2026-11-23T17:15:02.500+00:00"},"s":"I","c":"COMMAND","id":51803,"ctx":"conn1","msg":"Slow query","attr":{"ns":"db.c","durationMillis":104}}"#,
      [
        #"COMMAND (MongoDB log) @0 817146902.5 {"s":"I","id":"51803","ctx":"conn1","msg":"Slow query","attr":{"ns":"db.c","durationMillis":104}}"#
      ]
    ),
    (
      #"{"text":"x","record":{"elapsed":{"repr":"0:00:01","seconds":1.5},"exception":null,"extra":{"ms":7},"file":{"name":"a.py","path":"/a.py"},"function":"f","level":{"icon":"i","name":"INFO","no":20},"line":9,"message":"m","module":"a","name":"app","process":{"id":1,"name":"MainProcess"},"thread":{"id":2,"name":"MainThread"},"time":{"repr":"2026","timestamp":1795454102.5}}}"#,
      [
        #"app (loguru log) @0 817146902.5 {"level":"INFO","process":"MainProcess","thread":"MainThread","file":"a.py","elapsed_s":1.5,"extra":{"ms":7},"function":"f","line":"9","message":"m","module":"a"}"#
      ]
    ),
    (
      #"{"instant":{"epochSecond":1795454102,"nanoOfSecond":500000000},"thread":"main","level":"INFO","loggerName":"a.B","message":"m","endOfBatch":false,"loggerFqcn":"x","contextMap":{"ms":3},"threadId":1,"threadPriority":5}"#,
      [
        #"a.B (log4j2 log) @0 817146902.5 {"thread":"main","level":"INFO","message":"m","contextMap":{"ms":3},"threadId":"1","threadPriority":"5"}"#
      ]
    ),
    (
      #"{"timeMillis":1795454102500,"thread":"main","level":"WARN","loggerName":"a.B","message":"m","n":1}"#,
      [#"a.B (log4j2 log) @0 817146902.5 {"thread":"main","level":"WARN","message":"m","n":1}"#]
    ),
    (
      #"{"timezoneName":"","messageType":"Default","eventType":"logEvent","userID":501,"subsystem":"com.example.shop","category":"sync","threadID":4,"backtrace":{"frames":[]},"timestamp":"2026-11-23 19:15:02.500000+0200","machTimestamp":10,"eventMessage":"push","processID":7}"#,
      [
        #"sync (Apple unified log) @0 817146902.5 {"messageType":"Default","eventType":"logEvent","userID":"501","threadID":"4","eventMessage":"push","processID":"7"}"#
      ]
    ),
    (
      #"{"__CURSOR":"s=1","__REALTIME_TIMESTAMP":"1795454102500000","_HOSTNAME":"h","PRIORITY":"4","_PID":"12","_SYSTEMD_UNIT":"ssh.service","SYSLOG_IDENTIFIER":"sshd","MESSAGE":"hello \"you\""}"#,
      [
        #"sshd (journald log) @0 817146902.5 {"level":"warn","message":"hello \"you\"","host":"h","unit":"ssh.service","pid":"12"}"#
      ]
    ),
    (
      #"{"@timestamp":"2026-11-23T17:15:02.500Z","log.level":"INFO","message":"m","ecs.version":"1.2.0","log.logger":"a.B","level_value":20000,"took":4}"#,
      [
        #"a.B (JSON log) @0 817146902.5 {"log.level":"INFO","message":"m","ecs.version":"1.2.0","level_value":"20000","took":4}"#
      ]
    ),
    (
      #"{"time":"2026-11-23T17:15:02.5000000Z","resourceId":"x","metricName":"CpuPercent","average":4,"timeGrain":"PT1M"}"#,
      [#"CpuPercent (JSON log) @0 817146902.5 {"resourceId":"x","average":4,"timeGrain":"PT1M"}"#]
    ),
    (
      #"{"ts":1795454102.5,"metric":"sys.cpu","value":18,"tags":{"host":"a"}}"#,
      [#"sys.cpu (JSON log) @0 817146902.5 {"value":18,"tags":{"host":"a"}}"#]
    ),
    (
      #"{"time":1795454102500,"mem":{"rss":5}}"#,
      [#"log (JSON log) @0 817146902.5 {"mem":{"rss":5}}"#]
    ),
    (
      #"{"_aws":{"Timestamp":1795454102500,"CloudWatchMetrics":[{"Namespace":"shop","Dimensions":[["fn"]],"Metrics":[{"Name":"latency","Unit":"Milliseconds"},{"Name":"n","Unit":"Count"}]}]},"fn":"pay","latency":[5,7],"n":2,"time":1,"level":"info"}"#,
      [
        #"latency (EMF) @234 817146902.5 {"ms":5,"fn":"pay","level":"info"}"#,
        #"latency (EMF) @236 817146902.5 {"ms":7,"fn":"pay","level":"info"}"#,
        #"n (EMF) @243 817146902.5 {"value":2,"fn":"pay","level":"info"}"#,
      ]
    ),
  ]

  @Test("are recognized without a map", arguments: logs)
  func log(line: String, samples: [String]) throws {
    let reading = try ForeignReading(line + "\n")
    #expect(reading.rejections == [])
    // The positions of samples in one line differ, and the first lines above begin at the line.
    #expect(
      reading.samples.map { $0.replacing(/@[1-9]\d*/, with: "@") }
        == samples.map { $0.replacing(/@[1-9]\d*/, with: "@") })
    #expect(Set(reading.samples.map { $0.firstMatch(of: /@\d+/)?.output }).count == samples.count)
  }

  @Test("the end of a signpost's interval has its duration, if its beginning was read")
  func signposts() throws {
    func event(_ type: String, _ id: Int, _ second: String) -> String {
      #"{"eventType":"signpostEvent","signpostType":"\#(type)","signpostID":\#(id),"signpostName":"push","subsystem":"s","category":"c","timestamp":"2026-11-23 17:15:\#(second)+0000","machTimestamp":1,"processID":7,"eventMessage":""}"#
    }
    let text = [
      event("begin", 1, "02.000000"), event("begin", 2, "02.100000"), event("end", 1, "02.500000"),
      event("end", 3, "02.600000"), event("end", 2, "02.850000"),
    ].joined(separator: "\n")
    let reading = try ForeignReading(text)
    #expect(reading.samples.count == 5)
    let durations = reading.samples.compactMap { $0.firstMatch(of: /"duration_ms":([\d.]+)/)?.1 }
    #expect(durations.compactMap { Double($0) } == [500, 750])
    #expect(reading.samples.allSatisfy { $0.hasPrefix("push (Apple unified log) ") })
  }

  @Test("header and footer of log show are no samples and no errors")
  func logShow() throws {
    let event =
      #"{"timestamp":"2026-11-23 17:15:02.5+0000","eventMessage":"m","subsystem":"s","category":"c"}"#
    let text =
      "Filtering the log data using \"subsystem == \\\"s\\\"\"\n\(event)\n" + #"{"count":1,"finished":1}"#
    let reading = try ForeignReading(text)
    #expect(reading.samples.count == 1 && reading.rejections == [])
  }

  static let tests: [(text: String, samples: [String])] = [
    (
      """
      {"type":"Metric","data":{"name":"http_req_duration","type":"trend","contains":"time"},"metric":"http_req_duration"}
      {"metric":"http_req_duration","type":"Point","data":{"time":"2026-11-23T19:15:02.500000+02:00","value":101,"tags":{"status":"200","ms":"x"}}}
      {"metric":"data_sent","type":"Point","data":{"time":"2026-11-23T19:15:02.500000+02:00","value":7,"tags":null}}
      {"metric":"my_trend","type":"Point","data":{"time":"2026-11-23T19:15:02.500000+02:00","value":1.5,"tags":{}}}
      """,
      [
        #"http_req_duration (k6) 817146902.5 {"ms":101,"status":"200","tags.ms":"x"}"#,
        #"data_sent (k6) 817146902.5 {"bytes":7}"#, #"my_trend (k6) 817146902.5 {"value":1.5}"#,
      ]
    ),
    (
      #"""
      {"Time":"2026-11-23T17:15:01Z","Action":"start","Package":"a/b"}
      {"Time":"2026-11-23T17:15:01Z","Action":"run","Package":"a/b","Test":"BenchmarkSum"}
      {"Time":"2026-11-23T17:15:01Z","Action":"output","Package":"a/b","Test":"BenchmarkSum","Output":"=== RUN   BenchmarkSum\n"}
      {"Time":"2026-11-23T17:15:01Z","Action":"output","Package":"a/b","Test":"BenchmarkSum","Output":"BenchmarkSum-8   \t"}
      {"Time":"2026-11-23T17:15:02.5Z","Action":"output","Package":"a/b","Test":"BenchmarkSum","Output":" 1000000\t      1234 ns/op\t      64 B/op\t       2 allocs/op\n"}
      {"Time":"2026-11-23T17:15:02.5Z","Action":"output","Package":"a/b","Output":"BenchmarkOne/x=1-4 \t 10\t 5.5 ns/op\t 12.25 MB/s\t 3 hits/op\n"}
      {"Time":"2026-11-23T17:15:02.5Z","Action":"pass","Package":"a/b","Test":"TestA","Elapsed":0.25}
      {"Time":"2026-11-23T17:15:02.5Z","Action":"pass","Package":"a/b","Elapsed":2}
      """#,
      [
        #"BenchmarkSum (go test) 817146902.5 {"op_ns":1234,"op_bytes":64,"op_allocs":2,"iterations":1000000,"procs":"8"}"#,
        #"BenchmarkOne/x=1 (go test) 817146902.5 {"op_ns":5.5,"mb_per_s":12.25,"hits\/op":3,"iterations":10,"procs":"4"}"#,
        #"TestA (go test) 817146902.5 {"elapsed_s":0.25,"result":"pass"}"#,
      ]
    ),
    (
      #"{"results":[{"command":"sleep 0.1","mean":0.15,"times":[0.1,0.2],"memory_usage_byte":[5,6],"exit_codes":[0,1],"parameters":{"n":"3"}},{"command":"true","mean":0.5,"stddev":null,"median":0.5,"min":0.4,"max":0.6}]}"#,
      [
        #"sleep 0.1 (hyperfine) 0.0 {"time_s":0.1,"memory_bytes":5,"exit_code":"0","n":"3"}"#,
        #"sleep 0.1 (hyperfine) 0.1 {"time_s":0.2,"memory_bytes":6,"exit_code":"1","n":"3"}"#,
        #"true (hyperfine) 0.30000000000000004 {"mean":0.5,"median":0.5,"min":0.4,"max":0.6}"#,
      ]
    ),
    (
      #"{"machine_info":{"node":"h"},"commit_info":{"id":"abc","branch":"main"},"benchmarks":[{"group":null,"name":"test_a","params":{"n":5},"stats":{"min":1,"data":[0.5,0.25]}},{"group":"g","name":"test_b","params":null,"stats":{"mean":2,"min":1,"max":3,"stddev":1,"median":2}}],"datetime":"2026-11-23T17:15:02.500000+00:00","version":"4.0.0"}"#,
      [
        #"test_a (pytest-benchmark) 817146902.5 {"time_s":0.5,"commit":"abc","branch":"main","n":"5"}"#,
        #"test_a (pytest-benchmark) 817146903.0 {"time_s":0.25,"commit":"abc","branch":"main","n":"5"}"#,
        #"test_b (pytest-benchmark) 817146902.5 {"mean":2,"median":2,"stddev":1,"min":1,"max":3}"#,
      ]
    ),
    (
      """
      timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,bytes,Latency,Connect
      1795454102500,12,"get ""a"", b",200,OK,Group 1-1,true,430,9,1
      1795454103500,13,get,500,,Group 1-1,false,x,9,
      """,
      [
        #"get "a", b (JMeter) 817146902.5 {"elapsed_ms":12,"responseCode":"200","responseMessage":"OK","threadName":"Group 1-1","success":"true","bytes":430,"latency_ms":9,"connect_ms":1}"#,
        #"get (JMeter) 817146903.5 {"elapsed_ms":13,"responseCode":"500","threadName":"Group 1-1","success":"false","latency_ms":9}"#,
      ]
    ),
    (
      "1795454102500,95,ipify,200,OK,Thread Group 1-84,text,true,,220,129,2,2,94,0,9",
      [
        #"ipify (JMeter) 817146902.5 {"elapsed_ms":95,"responseCode":"200","responseMessage":"OK","threadName":"Thread Group 1-84","dataType":"text","success":"true","bytes":220,"sent_bytes":129,"group_threads":2,"threads":2,"latency_ms":94,"idle_ms":0,"connect_ms":9}"#
      ]
    ),
    (
      """
      Timestamp,User Count,Type,Name,Requests/s,Failures/s,50%,95%,Total Request Count
      1795454102,5,GET,/a,1.5,0.000000,N/A,12,40
      1795454103,5,,Aggregated,2,0,7,13,80
      """,
      [
        #"/a (Locust) 817146902.0 {"users":5,"method":"GET","requests_per_s":1.5,"failures_per_s":0.000000,"p95_ms":12,"requests":40}"#,
        #"Aggregated (Locust) 817146903.0 {"users":5,"requests_per_s":2,"failures_per_s":0,"p50_ms":7,"p95_ms":13,"requests":80}"#,
      ]
    ),
    (
      #"{"name":"/pay","method":"POST","last_request_timestamp":1795454102.5,"start_time":1795454002.1,"num_requests":4,"num_none_requests":0,"num_failures":1,"total_response_time":100,"max_response_time":40,"min_response_time":10,"response_times":{"10":1}}"#,
      [
        #"/pay (Locust) 817146902.5 {"requests":4,"failures":1,"mean_ms":25,"min_ms":10,"max_ms":40,"method":"POST"}"#
      ]
    ),
  ]

  @Test("load tests and benchmarks keep units and tags", arguments: tests)
  func loadTest(text: String, samples: [String]) throws {
    let reading = try ForeignReading(text)
    #expect(reading.rejections == [])
    #expect(reading.samples.map { $0.replacing(#/@\d+ /#, with: "") } == samples)
    #expect(try ForeignReading(text, chunk: 13) == reading)
  }
}
