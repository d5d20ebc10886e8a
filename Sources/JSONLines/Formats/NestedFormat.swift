import Codecs

/// Formats whose time, name or numbers are in inner objects, or whose members have names of their own.
enum NestedFormat: Sendable {
  case mongodb, loguru, log4j2, unifiedLog, journald, emf, k6, goTest, hyperfine, pytestBenchmark, locust
  /// The last line of `log show`.
  case unifiedLogEnd

  /// Recognizes a line by its member names; `nil` if it is in none of these formats.
  init?(_ members: [LineMember], in line: UnsafeRawBufferPointer) {
    func has(_ name: StaticString, _ kind: LineMember.Kind) -> Bool {
      members.contains { $0.kind == kind && $0.isNamed(name, in: line) }
    }
    func isEither(_ one: LineMember.Kind, _ other: LineMember.Kind, _ name: StaticString) -> Bool {
      has(name, one) || has(name, other)
    }
    if has("type", .text), has("data", .object), has("metric", .text) {
      self = .k6
    } else if has("t", .object), has("s", .text), has("c", .text) {
      self = .mongodb
    } else if has("Action", .text), has("Time", .text) || has("Package", .text) {
      self = .goTest
    } else if has("record", .object), has("text", .text) {
      self = .loguru
    } else if has("instant", .object) || has("timeMillis", .number), has("level", .text) {
      self = .log4j2
    } else if has("eventMessage", .text) || has("machTimestamp", .number), has("timestamp", .text) {
      self = .unifiedLog
    } else if has("__REALTIME_TIMESTAMP", .text) {
      self = .journald
    } else if has("_aws", .object) {
      self = .emf
    } else if has("benchmarks", .array), isEither(.text, .object, "datetime"), has("machine_info", .object) {
      self = .pytestBenchmark
    } else if has("num_requests", .number), has("last_request_timestamp", .number) {
      self = .locust
    } else if members.count <= 2, has("results", .array) {
      self = .hyperfine
    } else if members.count == 2, has("count", .number), has("finished", .number) {
      self = .unifiedLogEnd
    } else {
      return nil
    }
  }
}

extension LineMember {
  /// True if the name is an ASCII word.
  @inline(__always)
  func isNamed(_ word: StaticString, in line: UnsafeRawBufferPointer) -> Bool {
    guard key.count == word.utf8CodeUnitCount else { return false }
    let start = Int(key.lowerBound)
    for index in 0..<word.utf8CodeUnitCount where line[start &+ index] != word.utf8Start[index] {
      return false
    }
    return true
  }
}
