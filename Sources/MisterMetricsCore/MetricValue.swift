/// A value that a metric can record: any type that is `Codable` and `Sendable`.
///
/// Numbers, Booleans and strings are the common case; custom structs work as well.
///
/// ```swift
/// struct StartupBreakdown: MetricValue {
///   let totalMs: Double
///   let databaseOpenMs: Double
/// }
/// ```
public typealias MetricValue = Codable & Sendable
