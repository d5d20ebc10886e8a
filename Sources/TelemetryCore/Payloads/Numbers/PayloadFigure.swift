/// One figure of a payload: a number or a histogram, by its name in Apple's Swift interface.
///
/// ```swift
/// for figure in payload.figures { print(figure.name, figure.unit) }
/// // applicationTimeMetrics.cumulativeForegroundTime sec
/// ```
public struct PayloadFigure: Hashable, Sendable {
  /// The value of a figure.
  public enum Value: Hashable, Sendable {
    /// A number, in the unit of the figure; always finite.
    case number(Double)
    /// Counts by bins, whose bounds are in the unit of the figure.
    case bins([TimeHistogram.Bin])
  }

  /// The section and the property: `applicationLaunchMetrics.histogrammedTimeToFirstDraw`.
  ///
  /// Figures of signposts have their category and name in between, separated by a slash:
  /// `signpostMetrics.com.app.sync/Decode.totalCount`. Within these, `%` is `%25` and `/` is `%2F`; an absent one is
  /// `-`. Those of iOS 27's layers and states begin with `frameRateMetrics.` and `stateMetrics.`.
  public let name: String
  /// The unit as Apple writes it: `sec`, `ms`, `kB` (see ``ByteReading``), `bars`; `count` where Apple writes none.
  public let unit: String
  /// The value.
  public let value: Value
  /// The app version, if known.
  public let applicationVersion: String?

  init(_ name: String, _ unit: String, _ value: Value, applicationVersion: String? = nil) {
    (self.name, self.unit, self.value) = (name, unit, value)
    self.applicationVersion = applicationVersion
  }

  /// A part of a name that the app chose; `-` if it is missing.
  static func escaped(_ part: String?) -> String {
    guard let part else { return "-" }
    guard part.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "/") }) else {
      return part
    }
    return part.replacing("%", with: "%25").replacing("/", with: "%2F")
  }

  /// Prefix of the names in the disk space section.
  static let diskSpace = "diskSpaceUsageMetrics."
  /// The unit of plain counts.
  static let count = "count"
}
