/// A value that a metric can record: any that is `Codable` and `Sendable`.
///
/// Numbers, booleans and texts are the common case; a struct of your own works as well.
///
/// ```swift
/// struct StartupBreakdown: MetricValue {
///   let totalMs: Double
///   let databaseOpenMs: Double
/// }
/// ```
public typealias MetricValue = Codable & Sendable
