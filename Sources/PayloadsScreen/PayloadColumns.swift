import DashboardCore
import History
import TelemetryCore

/// The values of a choice's payloads by figure, collected in one pass over all payloads instead of one per figure.
struct PayloadColumns: Sendable {
  /// The values of one figure.
  struct Column: Sendable {
    /// Numbers, each with the index of its payload.
    var numbers: [(day: Int, value: Double)] = []
    var bins: [(day: Int, bins: [PayloadArchive.Bin])] = []
    /// True if any number is not zero.
    var isUsed = false

    /// The approximate work it causes.
    var cost: Int { numbers.count + bins.count * 16 }
  }

  static let foreground = "applicationTimeMetrics.cumulativeForegroundTime"

  /// Number of payloads.
  let days: Int
  /// Indexed like the figures.
  private let columns: [Column]
  /// The time of use of each payload in seconds; `nil` if it is unknown, zero or not a number.
  let foreground: [Double?]
  /// Number of payloads that report no use at all.
  private let idleDays: Int
  /// The payloads that report exits or animations at all.
  private(set) var hasExits: Set<Int> = []
  private(set) var hasAnimations: Set<Int> = []

  init(_ selection: PayloadSelection) {
    let figures = selection.archive.figures
    var columns = [Column](repeating: Column(), count: figures.count)
    for (day, payload) in selection.payloads.enumerated() {
      for (figure, value) in payload.values where columns.indices.contains(figure) {
        switch value {
        case .number(let number):
          guard number.isFinite else { continue }
          columns[figure].numbers.append((day, number))
          if number != 0 { columns[figure].isUsed = true }
        case .bins(let bins): columns[figure].bins.append((day, bins))
        }
      }
    }
    var idleDays = 0
    var times = [Double?](repeating: nil, count: selection.payloads.count)
    for place in figures.indices where figures[place] == .init(name: Self.foreground, unit: "sec") {
      for (day, value) in columns[place].numbers where value > 0 { times[day] = value }
      idleDays += columns[place].numbers.count { $0.value == 0 }
    }
    self.idleDays = idleDays
    days = times.count
    for (place, figure) in figures.enumerated() {
      if figure.name.hasPrefix("applicationExitMetrics.") {
        hasExits.formUnion(columns[place].numbers.map(\.day))
      }
      if figure.name.hasPrefix("animationMetrics.") {
        hasAnimations.formUnion(columns[place].numbers.map(\.day))
      }
    }
    (self.columns, foreground) = (columns, times)
  }

  /// The use over which diagnostics are counted.
  var exposure: DiagnosticExposure {
    DiagnosticExposure(
      days: days, foreground: foreground.compactMap(\.self) + Array(repeating: 0, count: min(idleDays, days)))
  }

  /// The column of a figure.
  subscript(figure: OverviewFigure) -> Column { self[figure.place] }

  subscript(place: Int) -> Column { columns.indices.contains(place) ? columns[place] : Column() }
}
