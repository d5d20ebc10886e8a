/// A figure of Apple's payloads: its names in both layouts, the words for it, and how device-days combine.
///
/// ``all`` is the table of them. How a figure is read and written, and its unit, is in the field table of its section;
/// see ``PayloadSection``.
package struct KnownFigure: Sendable {
  /// The combination of device-days into one number.
  package enum Fold: Hashable, Sendable {
    /// Time histograms: counts are summed, and the average is that of all samples.
    case times
    /// Like ``times``, with the rate of hangs per hour of use in addition.
    case hangs
    /// A sum: an amount per device-day, and per hour of use.
    case sum
    /// A level: the mean of the device-days.
    case level
    /// A mean, weighted by its number of samples.
    case mean
    /// Hitch time, weighted by the time of use.
    case hitches
    /// Exits for one reason, among all exits of its section.
    case exits(ExitReason)
    /// Percentages of time by signal bars.
    case signal
  }

  /// The recorded name: `cpuMetrics.cumulativeCPUTime`.
  package let name: String
  package let section: FigureSection
  /// The name below the title of the section: `peak`.
  package let label: String
  /// The name within a sentence: `peak memory`.
  package let phrase: String
  package let fold: Fold
  /// A short name that conditions understand: `memory`.
  package let usual: String?
  /// The metric of an iOS 27 report that has the figure, and the place in it.
  let report: (metric: String, member: ReportMember)?

  /// - Parameters:
  ///   - phrase: The name within a sentence, if it is not the label.
  ///   - report: The metric and the keys in it, joined with points. Without keys, `histogram` or `value`.
  init(
    _ name: String, _ section: FigureSection, _ label: String, in phrase: String? = nil, _ fold: Fold,
    usual: String? = nil, from report: String? = nil, _ form: ReportMember.Form = .quantity
  ) {
    (self.name, self.section, self.label, self.fold, self.usual) = (name, section, label, fold, usual)
    self.phrase = phrase ?? label
    self.report = report.map { report in
      let keys = report.split(separator: ".", maxSplits: 1).map(String.init)
      let form = [.times, .hangs, .signal].contains(fold) ? .histogram : form
      let member = keys.count > 1 ? keys[1] : form == .histogram ? "histogram" : "value"
      return (keys[0], ReportMember(member, name, form))
    }
  }

  /// A figure that the table does not have.
  package init(unlisted name: String, _ section: FigureSection, _ label: String, _ fold: Fold) {
    self.init(name, section, label, fold)
  }

  /// The figure with a recorded name, and its place in the table.
  package static func named(_ name: String) -> (figure: KnownFigure, rank: Int)? {
    ranks[name].map { (all[$0], $0) }
  }

  private static let ranks = Dictionary(
    all.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
}
