package import Foundation
package import MisterMetrics

/// `mistertop record BUCKET NAME VALUE [--type] [--store]`: records one value, as an app would.
///
/// The line is in the file when the command ends. Several may run at once on the same file.
package struct RecordCommand: Sendable {
  /// What a value is recorded as.
  package enum ValueType: String, CaseIterable, Sendable {
    case double, int, bool, string
  }

  private let store: URL
  private let bucket: Bucket?
  private let name: String
  private let value: String
  private let type: ValueType?

  /// Records a value.
  ///
  /// - Parameters:
  ///   - store: The metrics file; created when there is none.
  ///   - bucket: The bucket's name; empty or `-` for none.
  ///   - name: The metric's name.
  ///   - value: The value as text.
  ///   - type: What to record it as; `nil` for the first of int, double, bool that the text is, or else string.
  package init(store: URL, bucket: String, name: String, value: String, type: ValueType? = nil) {
    self.store = store
    self.bucket = bucket.isEmpty || bucket == "-" ? nil : Bucket(bucket)
    self.name = name
    self.value = value
    self.type = type
  }

  /// Runs the command.
  ///
  /// - Parameters:
  ///   - console: Where to complain.
  ///   - options: How the file is written.
  /// - Returns: How it went; wrong usage is a value that is not of its type.
  package func run(console: Console, options: MetricFileOptions = MetricFileOptions()) async -> ExitCode {
    guard !name.isEmpty else {
      console.complain("mistertop record: the metric's name is empty")
      return .wrongUsage
    }
    do {
      let store = try MetricFileStore(file: store, options: options)
      guard try await record(in: store) else {
        console.complain("mistertop record: '\(value)' is no \(type?.rawValue ?? "value")")
        return .wrongUsage
      }
      return .fine
    } catch {
      console.complain("mistertop record: \(error)")
      return .failed
    }
  }

  /// - Returns: Whether the text is a value of its type.
  private func record(in store: MetricFileStore) async throws -> Bool {
    switch type ?? inferredType {
    case .int: return try await record(Int(value), in: store)
    case .double: return try await record(number, in: store)
    case .bool: return try await record(Bool(value), in: store)
    case .string: return try await record(value, in: store)
    }
  }

  private func record<T: MetricValue>(_ value: T?, in store: MetricFileStore) async throws -> Bool {
    guard let value else { return false }
    try await store.record(Metric<T>(name: name, in: bucket), value: value)
    return true
  }

  /// A number that JSON can express; Swift would also read `nan`, `inf` and hexadecimal numbers.
  private var number: Double? {
    guard let number = Double(value), number.isFinite, !value.lowercased().contains("x") else { return nil }
    return number
  }

  private var inferredType: ValueType {
    if Int(value) != nil { return .int }
    if number != nil { return .double }
    return Bool(value) != nil ? .bool : .string
  }
}
