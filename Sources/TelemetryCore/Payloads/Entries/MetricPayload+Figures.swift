import Essentials

extension MetricPayload {
  /// The payload's figures: sections in Apple's order, then the app's own signposts.
  ///
  /// Absent sections and averages without samples yield nothing. Every exit count of a present section yields a
  /// figure, even those that the payload leaves out because they are zero.
  public var figures: [PayloadFigure] {
    var list = FigureList(applicationVersion: latestApplicationVersion)
    for field in Self.figureSections { field.addFigures(self, "", &list) }
    for layer in frameRateMetrics ?? [] {
      layer.addFigures(under: "frameRateMetrics.\(PayloadFigure.escaped(layer.layerName)).", to: &list)
    }
    addSignposts(to: &list)
    return list.figures + stateFigures
  }

  /// The fields with figures: integers elsewhere, such as a process identifier, are none.
  fileprivate static let figureSections = fields.filter { $0.key.hasSuffix("Metrics") }
}

extension PayloadFigure {
  /// The unit of a figure by its name; `nil` if Apple's payloads have no figure of that name.
  package static func unit(ofFigure name: String) -> String? {
    if let unit = units[name] { return unit }
    guard let property = name.split(separator: ".").last.map(String.init) else { return nil }
    // Signposts and layers have names of the app between the section and the property.
    if name.hasPrefix("signpostMetrics.") { return signpostUnits[property] }
    return name.hasPrefix("frameRateMetrics.") ? layerUnits[property] : nil
  }

  private static let units: [String: String] = {
    var units = MetricPayload.figureSections.flatMap { $0.figureUnits() }
    func add(_ section: String, _ found: [(name: String, unit: String)]) {
      units += found.map { (section + $0.name, $0.unit) }
    }
    add("hangDiagnostics.", HangDetails.figureUnits)
    add("cpuExceptionDiagnostics.", CPUExceptionDetails.figureUnits)
    add("diskWriteExceptionDiagnostics.", DiskWriteExceptionDetails.figureUnits)
    add("appLaunchDiagnostics.", AppLaunchDetails.figureUnits)
    return table(units)
  }()

  private static let signpostUnits = table(
    MetricPayload.SignpostIntervalData.figureUnits + [(name: "totalCount", unit: count)])
  private static let layerUnits = table(MetricPayload.FrameRateMetric.figureUnits)

  private static func table(_ units: [(name: String, unit: String)]) -> [String: String] {
    Dictionary(units.map { ($0.name, $0.unit) }) { first, _ in first }
  }
}
