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
      + details(hangDiagnostics) { list, hang in
        list.add("hangDiagnostics.hangDuration", hang.hangDurationQuantity, in: .seconds)
      }
      + details(cpuExceptionDiagnostics) { list, exception in
        list.add("cpuExceptionDiagnostics.totalCPUTime", exception.totalCPUTimeQuantity, in: .seconds)
        list.add("cpuExceptionDiagnostics.totalSampledTime", exception.totalSampledTimeQuantity, in: .seconds)
      }
      + details(diskWriteExceptionDiagnostics) { list, exception in
        list.add(
          "diskWriteExceptionDiagnostics.totalWritesCaused", exception.totalWritesCausedQuantity, in: .bytes)
      }
      + details(appLaunchDiagnostics) { list, launch in
        list.add("appLaunchDiagnostics.launchDuration", launch.launchDurationQuantity, in: .milliseconds)
      }
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

  private func details<Details>(
    _ diagnostics: [Diagnostic<Details>]?, _ add: (inout FigureList, Details) -> Void
  ) -> [PayloadFigure] {
    (diagnostics ?? []).flatMap { diagnostic in
      var list = FigureList(applicationVersion: diagnostic.applicationVersion)
      add(&list, diagnostic.details)
      return list.figures
    }
  }
}
