import Foundation
import JSONLines

@testable import History

/// Lines as an app records them, and what becomes of them in a form.
enum ExportRun {
  /// A line of the metric `bucket.name`; the value is JSON.
  static func line(
    _ value: String, _ name: String = "push_ms", bucket: String? = "sync", type: String = "Double",
    time: Double = 816_964_327.5
  ) -> String {
    let texts = [("bucket", bucket), ("name", name), ("valueTypeString", type)].compactMap { key, text in
      text.map { "\"\(key)\":\(quoted($0))" }
    }
    let base64 = Data(value.utf8).base64EncodedString()
    return "{\"metric\":{\(texts.joined(separator: ","))},\"timestamp\":\(time),\"value\":\"\(base64)\"}\n"
  }

  /// A text as JSON.
  static func quoted(_ text: String) -> String {
    (try? String(decoding: JSONEncoder().encode(text), as: UTF8.self)) ?? "\"\""
  }

  /// The series made of the lines, and how many samples were left out.
  static func export(
    _ text: String, as writer: any ExportWriter, filter: ExportStream.Filter = ExportStream.Filter()
  ) throws -> (text: String, written: Int, omitted: Int) {
    var stream = ExportStream(writer, filter: filter)
    var output: [UInt8] = []
    var scanner = SampleScanner(offset: 1000)
    var batch = SampleBatch()
    try Array(text.utf8).withUnsafeBytes { bytes in
      scanner.scan(bytes, into: &batch)
      scanner.finish(into: &batch)
      try stream.take(batch, scanner.catalogue, chunk: bytes, at: 1000, into: &output)
    }
    output += stream.head()
    try stream.finish { output += $0 }
    return (String(decoding: output, as: UTF8.self), stream.written, stream.omitted)
  }

  static func export(_ text: String, as format: ExportFormat) throws -> String {
    try export(text, as: format.writer(temporaryFolder: NSTemporaryDirectory())).text
  }

  /// Values and names that every form has to take care of.
  static let hard =
    line("183.5") + line("-0.0", time: 816_964_327) + line("1e-300", time: -0.25)
    + line("9223372036854775807", "total", type: "Int") + line("12", "total", type: "Optional<Int>", time: 5)
    + line("true", "ok", type: "Bool") + line("null", "gone", type: "Optional<Double>")
    + line("\"say \\\"hi\\\", then\\r\\n\\\\ go\"", "note", type: "String")
    + line("\"\"", "note", type: "String")
    + line(
      #"{"cpu":1.5,"io":{"wait":9007199254740993},"ok":true,"why":"a b","none":null,"list":[1]}"#, "load",
      type: "Load")
    + line("{}", "load", type: "Load") + line("[1,2]", "list", bucket: nil, type: "Array<Int>")
    + line("1", "9 lives, a=b\n\\", bucket: "Grüße #1,\"x\"", type: "Int")
    + line("2", "", bucket: "", type: "")
    + line("3", "far", time: 1e12) + line("4", "far", time: 1e300)
}
