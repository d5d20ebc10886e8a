import Foundation
package import MisterMetrics

/// `mistertop record BUCKET NAME VALUE [--type] [--store]`: records one value, as an app would.
///
/// The line is in the file when the command ends. Several may run at once on the same file.
package struct RecordCommand: Sendable {
  private let request: RecordRequest
  private let console: Console

  /// Records a value.
  ///
  /// - Parameters:
  ///   - request: What to record where.
  ///   - console: Where to complain.
  package init(_ request: RecordRequest, console: Console) {
    self.request = request
    self.console = console
  }

  /// Runs the command.
  ///
  /// - Parameter options: How the file is written.
  /// - Returns: How it went; wrong usage is a value that is not of its type.
  package func run(options: MetricFileOptions = MetricFileOptions()) async -> ExitCode {
    guard !request.name.isEmpty else {
      console.complain("record: the metric's name is empty")
      return .wrongUsage
    }
    let type = request.type ?? inferredType
    guard let json = json(of: type) else {
      let article = "AEIOU".contains(type.prefix(1)) ? "an" : "a"
      console.complain("record: '\(request.value)' is not \(article) \(type)")
      return .wrongUsage
    }
    let metric = AnyMetric(
      name: request.name, bucket: request.bucket.map { Bucket($0) }, valueTypeString: type)
    do {
      let store = try MetricFileStore(file: URL(fileURLWithPath: request.store), options: options)
      try await store.append([MetricEntry(timestamp: Date(), metric: metric, value: json)])
      return .fine
    } catch {
      console.complain("record: \(error)")
      return .failed
    }
  }

  /// The JSON of the value as a type, or `nil` when it is no such value; of any other type than the four basic ones the
  /// text is the JSON itself.
  private func json(of type: String) -> Data? {
    let text = request.value
    switch type {
    case "Int": return Int(text).flatMap { try? ValueEncoder.encode($0) }
    case "Double": return number.flatMap { try? ValueEncoder.encode($0) }
    case "Bool": return Bool(text).flatMap { try? ValueEncoder.encode($0) }
    case "String": return try? ValueEncoder.encode(text)
    default:
      let data = Data(text.utf8)
      let isJSON = (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
      return isJSON ? data : nil
    }
  }

  /// A number that JSON can express; Swift would also read `nan`, `inf` and hexadecimal numbers.
  private var number: Double? {
    guard let number = Double(request.value), number.isFinite, !request.value.lowercased().contains("x")
    else {
      return nil
    }
    return number
  }

  private var inferredType: String {
    if Int(request.value) != nil { return "Int" }
    if number != nil { return "Double" }
    return Bool(request.value) != nil ? "Bool" : "String"
  }
}

extension RecordRequest {
  /// Asks for one value to be recorded.
  ///
  /// - Parameters:
  ///   - name: The metric's name.
  ///   - bucket: Its bucket, or `nil`.
  ///   - value: The value as text.
  ///   - type: The value's type, or `nil` to go by the value.
  ///   - store: The metrics file.
  package init(of name: String, in bucket: String?, value: String, type: String? = nil, store: String) {
    self.init(bucket: bucket, name: name, value: value, type: type, store: store)
  }
}
