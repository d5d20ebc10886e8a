import Aggregation
import Codecs
import DashboardCore
import TelemetryCore

/// One side's value of a figure.
struct OverviewValue: Sendable, Equatable {
  /// The number of samples or days behind a value.
  enum Count: Sendable, Equatable {
    case samples(Int)
    case days(Int)
  }

  /// The average, or what stands for it, in the unit of the row.
  let value: Double
  /// How far off it may be because bins tell no more.
  var doubt = 0.0
  /// How many it is of.
  let count: Count
  /// All together, where a sum makes sense.
  var total: Double?
  /// For each hour of use, where a sum makes sense and that time is known.
  var perHour: Double?
  /// Percentiles 50 and 95, of the samples, or of the device-days.
  var percentiles: [TimePercentile] = []
}

// The verdict on a figure in the columns of the overview.
extension ComparisonVerdict {
  /// In one short word.
  var sign: String {
    switch finding {
    case .noDifference: "~"
    case .tooFew: "few"
    case .middle, .tail, .secondHump: "real"
    }
  }

  /// In one character.
  var shortSign: String {
    switch finding {
    case .noDifference: "~"
    case .tooFew: "?"
    case .middle, .tail, .secondHump: "!"
    }
  }

  /// The meaning behind it, where that is more than the sign tells.
  ///
  /// - Parameter isTimes: Whether more is slower.
  func words(isTimes: Bool) -> String {
    let words = ChangeWords(isTimes ? .milliseconds : .plain)
    let change = isRising ? words.rise : words.fall
    return switch finding {
    case .middle: change
    case .tail: "tail \(change)"
    case .secondHump: "second hump"
    case .noDifference, .tooFew: ""
    }
  }
}
