import Essentials
package import MisterMetricsCore

/// `mistertop record BUCKET NAME VALUE`: records one value, as an app would.
///
/// The line is in the file when the command ends. Several instances may run on the same file at once.
package struct RecordCommand: Command {
  package static let name = "record"
  package static let operands = "BUCKET NAME VALUE"
  package static let summary = "Records one value; use - as BUCKET for a metric without one."
  package static let examples = [
    CommandExample(
      "mistertop record app start_ms 412",
      "record a value from a shell script"),
    CommandExample(
      "mistertop record --type string --store metrics.jsonl app version 2.4",
      "record a text into a named file"),
  ]
  package static let options = [type, .store]

  private static let type = CommandOption(
    "type", "TYPE", completion: .cases(of: ValueType.self),
    help: "double, int, bool or string (default: the first that VALUE can be)")

  /// The type as which a value is recorded.
  package enum ValueType: String, CaseIterable, Sendable {
    case double, int, bool, string
  }

  package struct Request: Sendable, Equatable {
    /// Empty or `-` for a metric without a bucket.
    package var bucket: String
    package var name: String
    package var value: String
    /// `nil` for the first of int, double and bool that can represent the text, or else string.
    package var type: ValueType?
    /// The metrics file; created if missing.
    package var store: String

    package init(bucket: String, name: String, value: String, type: ValueType? = nil, store: String) {
      (self.bucket, self.name, self.value) = (bucket, name, value)
      (self.type, self.store) = (type, store)
    }
  }

  package static func completion(ofOperand place: Int) -> Completion {
    place == 0 ? .buckets : place == 1 ? .names : .nothing
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    let operands = arguments.operands
    for (index, name) in ["BUCKET", "NAME", "VALUE"].enumerated() where operands.count <= index {
      throw .missingOperand(name)
    }
    try arguments.rejectOperands(after: 3)
    let type = try arguments.value(Self.type, expecting: Arguments.list(Self.type.words)) {
      ValueType(rawValue: $0.lowercased())
    }
    return Request(
      bucket: operands[0], name: operands[1], value: operands[2], type: type, store: arguments.store)
  }

  package static func run(_ request: Request, in context: CommandContext) async -> ExitCode {
    await RecordCommand(request).run(console: context.console)
  }

  private let request: Request
  private let bucket: Bucket?

  package init(_ request: Request) {
    self.request = request
    bucket = request.bucket.isEmpty || request.bucket == "-" ? nil : Bucket(request.bucket)
  }

  /// Records the value.
  ///
  /// - Parameter options: The options of the store.
  /// - Returns: `wrongUsage` if the value does not match its type.
  package func run(console: Console, options: MetricFileOptions = MetricFileOptions()) async -> ExitCode {
    guard !request.name.isEmpty else {
      console.writeError("mistertop record: the name of the metric is empty")
      return .wrongUsage
    }
    do {
      let store = try MetricFileStore.named(request.store, options: options)
      guard try await record(in: store) else {
        console.writeError(
          "mistertop record: '\(request.value)' is not a value of type \(request.type?.rawValue ?? "")")
        return .wrongUsage
      }
      return .success
    } catch {
      console.writeError("mistertop record: \(error)")
      return .failed
    }
  }

  /// - Returns: True if the text is a valid value of its type.
  private func record(in store: MetricFileStore) async throws -> Bool {
    switch request.type ?? inferredType {
    case .int: return try await record(Int(request.value), in: store)
    case .double: return try await record(number, in: store)
    case .bool: return try await record(Bool(request.value), in: store)
    case .string: return try await record(request.value, in: store)
    }
  }

  private func record<T: MetricValue>(_ value: T?, in store: MetricFileStore) async throws -> Bool {
    guard let value else { return false }
    try await store.record(Metric<T>(name: request.name, in: bucket), value: value)
    return true
  }

  /// A number that JSON can express; Swift would also read `nan`, `inf` and hexadecimal numbers.
  private var number: Double? {
    let text = request.value
    guard let number = Double(text), number.isFinite, !text.lowercased().contains("x") else { return nil }
    return number
  }

  private var inferredType: ValueType {
    if Int(request.value) != nil { return .int }
    if number != nil { return .double }
    return Bool(request.value) != nil ? .bool : .string
  }
}
