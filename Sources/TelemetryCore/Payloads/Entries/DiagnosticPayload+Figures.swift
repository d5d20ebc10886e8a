import Essentials

extension DiagnosticPayload {
  /// The payload's figures: the number of diagnostics of each kind and app version, then their durations and amounts,
  /// one figure for each diagnostic that has one.
  public var figures: [PayloadFigure] {
    counts("crashDiagnostics", crashDiagnostics)
      + counts("hangDiagnostics", hangDiagnostics)
      + counts("cpuExceptionDiagnostics", cpuExceptionDiagnostics)
      + counts("diskWriteExceptionDiagnostics", diskWriteExceptionDiagnostics)
      + counts("appLaunchDiagnostics", appLaunchDiagnostics)
      + counts("memoryExceptionDiagnostics", memoryExceptionDiagnostics)
      + counts("unclassifiedDiagnostics", unclassifiedDiagnostics)
      + details("hangDiagnostics.", hangDiagnostics)
      + details("cpuExceptionDiagnostics.", cpuExceptionDiagnostics)
      + details("diskWriteExceptionDiagnostics.", diskWriteExceptionDiagnostics)
      + details("appLaunchDiagnostics.", appLaunchDiagnostics)
  }

  /// A figure for each version, ordered by version, with unknown versions first.
  private func counts<Details>(_ name: String, _ diagnostics: [Diagnostic<Details>]?) -> [PayloadFigure] {
    let byVersion = Dictionary(grouping: diagnostics ?? [], by: \.applicationVersion)
    return byVersion.sorted { ($0.key ?? "") < ($1.key ?? "") }.flatMap { version, diagnostics in
      var list = FigureList(applicationVersion: version)
      list.add(name, count: diagnostics.count)
      return list.figures
    }
  }

  private func details<Details: DiagnosticDetails>(
    _ prefix: String, _ diagnostics: [Diagnostic<Details>]?
  ) -> [PayloadFigure] {
    (diagnostics ?? []).flatMap { diagnostic in
      var list = FigureList(applicationVersion: diagnostic.applicationVersion)
      diagnostic.details.addFigures(under: prefix, to: &list)
      return list.figures
    }
  }
}
