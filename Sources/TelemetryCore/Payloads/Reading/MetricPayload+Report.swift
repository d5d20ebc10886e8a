import Codecs

extension MetricPayload {
  /// The payload of a report, with its parts.
  init(_ report: ReportTranslation, _ context: inout ReadingContext) {
    self.init(report.fields, &context)
    course = report.course.map { entry in
      ReportEntry(
        state: nil, duration: entry.duration, sections: MetricPayload(entry.sections, &context))
    }
    stateEntries = report.states.map { entry in
      let state = entry.states.first?.fields.map { ReportedState($0, &context) }
      return ReportEntry(
        state: state, duration: entry.duration, sections: MetricPayload(entry.sections, &context))
    }
  }
}
