import Codecs

/// The events of `go test -json`.
extension NestedSink {
  /// A benchmark's line of figures, and the end of a test with its duration, are samples; other events hold none.
  mutating func readGoTest(_ payload: inout [UInt8]) -> Bool {
    guard let action = view.member("Action") else { return false }
    let view = view
    func `is`(_ word: StaticString) -> Bool { view.tape.equals(action, word, in: view.line) }
    let stamp = time(view.member("Time"))
    let package = view.text(view.member("Package"))
    if `is`("output") {
      guard let output = view.member("Output"), view.kind(output) == .text else { return true }
      readOutput(output, stamp, package, &payload)
      return true
    }
    guard `is`("pass") || `is`("fail") || `is`("skip"), let elapsed = view.member("Elapsed"),
      let test = view.text(view.member("Test"))
    else { return true }
    add(.goTest, time: stamp, bucket: package, name: .written(test), at: 0, &payload) { writer, payload in
      writer.add("elapsed_s", elapsed, of: view, to: &payload)
      writer.add("result", action, of: view, to: &payload)
    }
    return true
  }

  /// Reads what a benchmark printed: its name and its figures, on one line or on two.
  private mutating func readOutput(
    _ output: Int, _ stamp: Double?, _ package: UnsafeRawBufferPointer?, _ payload: inout [UInt8]
  ) {
    var tokenizer = JSONTokenizer(view.line, at: Int(view.tape.nodes[output].start) - 1)
    guard let text = tokenizer.string()?.string, let figures = GoBenchmark(text) else { return }
    if let name = figures.name { memory.benchmark = name }
    guard !figures.values.isEmpty else { return }
    let test = view.text(view.member("Test")).map { String(decoding: $0, as: UTF8.self) }
    guard let full = figures.name ?? memory.benchmark ?? test else { return }
    let (name, processors) = GoBenchmark.split(full)
    add(
      .goTest, time: stamp, bucket: package, name: .text(name), at: output, &payload
    ) { writer, payload in
      for (field, digits) in figures.values {
        var quoted: [UInt8] = []
        JSONWriter.append(text: field, to: &quoted)
        quoted.withUnsafeBytes {
          writer.key(UnsafeRawBufferPointer(rebasing: $0[1..<$0.count - 1]), prefix: "", to: &payload)
        }
        payload.append(contentsOf: digits.utf8)
      }
      if let processors {
        Array(processors.utf8).withUnsafeBytes { writer.add("procs", quoted: $0, to: &payload) }
      }
    }
  }
}

/// A line that a Go benchmark prints: `BenchmarkX-8   1000   1234 ns/op   64 B/op`.
struct GoBenchmark {
  /// Maximum figures of a line.
  private static let limit = 64

  let name: String?
  /// The figures: names that tell their units, and digits.
  private(set) var values: [(field: String, digits: String)] = []

  /// Fails for a text that is neither a benchmark's name nor its figures.
  init?(_ text: String) {
    let words = text.utf8.split(whereSeparator: { $0 <= 0x20 }).prefix(Self.limit).map {
      String(Substring($0))
    }
    guard let first = words.first else { return nil }
    let hasName = first.hasPrefix("Benchmark")
    name = hasName ? first : nil
    var place = hasName ? 1 : 0
    guard place < words.count else {
      if hasName { return }
      return nil
    }
    // The number of iterations, then pairs of a figure and its unit.
    guard Self.isNumber(words[place]), place + 2 < words.count else { return nil }
    let iterations = words[place]
    place += 1
    while place + 1 < words.count, Self.isNumber(words[place]) {
      values.append((Self.field(unit: words[place + 1]), words[place]))
      place += 2
    }
    guard values.contains(where: { $0.field.hasPrefix("op_") }) else { return nil }
    values.append(("iterations", iterations))
  }

  /// The name without the number of processors at its end.
  static func split(_ name: String) -> (name: String, processors: String?) {
    guard let dash = name.utf8.lastIndex(of: UInt8(ascii: "-")) else { return (name, nil) }
    let digits = name[name.utf8.index(after: dash)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else {
      return (name, nil)
    }
    return (String(name[..<dash]), String(digits))
  }

  private static func isNumber(_ word: String) -> Bool {
    Array(word.utf8).withUnsafeBytes { LineLexer.isNumber($0) }
  }

  private static func field(unit: String) -> String {
    switch unit {
    case "ns/op": "op_ns"
    case "B/op": "op_bytes"
    case "allocs/op": "op_allocs"
    case "MB/s": "mb_per_s"
    default: unit
    }
  }
}
