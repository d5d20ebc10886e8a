import Aggregation
import Codecs
import History
import Platform
import TelemetryCore
import Testing

@testable import DashboardCore
@testable import HistogramScreen

@Suite("The payloads of a choice")
struct PayloadSelectionTests {
  private static let launches = "applicationLaunchMetrics.histogrammedTimeToFirstDraw"
  private static let signal = "cellularConditionMetrics.histogrammedCellularConditionTime"

  @Test("the mean by day is that of the days with samples, and tells how many have none")
  func byDay() throws {
    let day = { (start: Double) in TimeHistogram([.init(start: start, end: start + 9, count: 2)]) }
    let known = try #require(HistogramSide(name: "", days: [day(820), day(920)]).average(.published))
    let found = try #require(
      HistogramSide(name: "", days: [day(820), TimeHistogram(), day(920)]).average(.published))
    #expect(found.value == known.value && found.emptyDays == 1 && known.emptyDays == 0)
    #expect(HistogramSide(name: "", days: [TimeHistogram()]).average(.published) == nil)
    let formatter = HistogramFormatter(
      unit: .milliseconds, plusMinus: "±", hasBins: true, isClear: true)
    #expect(formatter.title((.published, found, known)) == "by day, 1 none")
    #expect(formatter.title((.pooled, known, nil)) == "average")
  }

  @Test(
    "only the numbers of payloads are numbers of their own",
    arguments: [
      ("PayloadScalar", "value", false), ("PayloadScalar", "appVersion", true),
      ("PayloadDocument", "kind", true), ("PayloadOriginal", "source", true),
      ("PayloadDiagnostic", "value", false), ("Checkout", "kind", false),
    ])
  func texts(type: String, field: String, isText: Bool) {
    let series = SeriesIdentity(bucket: "payload", name: "x", typeName: type, field: field)
    #expect(series.isPayloadText == isText && series.incidentSubjects.isEmpty == isText)
  }

  private func payload(
    _ version: String, time: Double = 0, mixed: Bool = false, simulated: Bool = false,
    source: String = "day.json#1f", facts: [String: String] = [:], count: Int = 1
  ) -> PayloadArchive.Payload {
    var payload = PayloadArchive.Payload()
    (payload.version, payload.time, payload.source, payload.facts) = (version, Timestamp(time), source, facts)
    (payload.isMixed, payload.isSimulated) = (mixed, simulated)
    payload.values = [
      (0, .number(3)), (1, .bins([.init(start: 820, end: 829, count: count)])),
      (2, .bins([.init(start: 1, end: 1, count: 100)])), (99, .bins([])),
    ]
    return payload
  }

  private func archive(_ payloads: [PayloadArchive.Payload]) -> PayloadArchive {
    var archive = PayloadArchive()
    archive.figures = [
      .init(name: "applicationTimeMetrics.cumulativeForegroundTime", unit: "sec"),
      .init(name: Self.launches, unit: "ms"), .init(name: Self.signal, unit: "bars"),
    ]
    archive.payloads = payloads
    return archive
  }

  private func choice(_ labels: [String: SampleCube.LabelValue] = [:], _ window: Range<Double>? = nil)
    -> SampleCube.Choice
  { SampleCube.Choice(labels: labels, window: window) }

  @Test("payloads of one version count that no simulation made")
  func trust() {
    let archive = archive([
      payload("2.0", count: 1), payload("2.0", mixed: true, count: 10),
      payload("2.0", simulated: true, count: 100), payload("2.0", mixed: true, simulated: true, count: 1000),
      payload("2.1", count: 10_000),
    ])
    let selection = PayloadSelection(archive, choice(["version": "2.0"]))
    #expect(selection.days(of: Self.launches).map(\.count) == [1])
    #expect(selection.marks == [] && selection.marks.words.isEmpty)
    #expect(selection.mixedLeftOut == 1 && selection.simulatedLeftOut == 2)
  }

  @Test("where none else is there mixed ones count, then simulated ones, and the marks say so")
  func lesser() {
    let mixed = payload("2.0", mixed: true, facts: ["localized": "true"], count: 10)
    let simulated = payload("2.0", simulated: true, count: 100)
    let both = payload("2.0", mixed: true, simulated: true, count: 1000)
    let first = PayloadSelection(archive([mixed, simulated, both]), choice())
    #expect(first.payloads == [mixed] && first.marks == [.mixed, .localized])
    #expect(first.marks.words == ["mixed versions", "localized"])
    #expect(first.mixedLeftOut == 0 && first.simulatedLeftOut == 2)
    let second = PayloadSelection(archive([both, simulated]), choice())
    #expect(second.payloads == [simulated] && second.marks == .simulated && second.simulatedLeftOut == 1)
    let third = PayloadSelection(archive([both]), choice())
    #expect(third.payloads == [both] && third.marks == [.simulated, .mixed] && third.simulatedLeftOut == 0)
    // Asked for, they are all that is left.
    let asked = PayloadSelection(archive([payload("2.0"), simulated]), choice(["simulated": "true"]))
    #expect(asked.payloads == [simulated] && asked.marks == .simulated)
    #expect(PayloadSelection(archive([]), choice()).payloads.isEmpty)
  }

  @Test("a choice is one of labels and of time; what is missing can be chosen too")
  func choices() {
    let one = payload("2.0", time: 10, facts: ["device": "iPhone11,8"])
    let two = payload("", time: 20, source: "other #1.json#2e")
    let archive = archive([one, two])
    let chosen = { (choice: SampleCube.Choice) in PayloadSelection(archive, choice).payloads }
    #expect(chosen(choice(["version": .missing])) == [two])
    #expect(
      chosen(choice(["device": "iPhone11,8"])) == [one] && chosen(choice(["device": .missing])) == [two])
    #expect(chosen(choice(["file": "other #1.json"])) == [two])
    #expect(chosen(choice([:], 10..<20)) == [one] && chosen(choice(["version": "2.0"], 11..<20)).isEmpty)
    #expect(chosen(choice(["nothing": "x"])).isEmpty && chosen(choice(["nothing": .missing])).count == 2)
  }

  @Test("histograms are those of times, whatever a payload says")
  func histograms() {
    let archive = archive([payload("2.0")])
    let selection = PayloadSelection(archive, choice())
    #expect(archive.histogramNames() == [Self.launches])
    #expect(selection.days(of: Self.signal).isEmpty && selection.days(of: "none").isEmpty)
    #expect(
      selection.days(of: Self.launches) == [TimeHistogram([.init(start: 820, end: 829, count: 1)])])
  }

  @Test("dimensions are what payloads have, versions from the newest on, flags only where they are set")
  func dimensions() {
    let archive = archive([
      payload("2.9", source: "b.json#1", facts: ["os": "iOS 9.1", "kind": "metric", "localized": "false"]),
      payload(
        "2.10", mixed: true, source: "a.json#2", facts: ["os": "iOS 16.0", "multipleVersions": "true"]),
      payload("", source: "b.json#3", facts: ["device": "iPhone11,8"]),
      payload("2.9", facts: ["device": "iPhone9,1"]),
    ])
    let found = archive.dimensions
    #expect(found.map(\.name) == ["version", "file", "os", "device", "kind", "mixed"])
    #expect(
      found.map(\.values) == [
        ["2.10", "2.9"], ["b.json", "a.json", "day.json"], ["iOS 16.0", "iOS 9.1"],
        ["iPhone9,1", "iPhone11,8"],
        ["metric"], ["false", "true"],
      ])
  }

  @Test("numbers have the dimensions of histograms, and count where they do")
  func numbers() {
    let archive = archive([
      payload("2.0", time: 1, facts: ["device": "iPhone11,8", "kind": "metric"]),
      payload("2.0", time: 2, facts: ["device": "iPhone9,1", "kind": "metric"]),
      payload("2.0", time: 3, mixed: true, facts: ["device": "iPhone9,1", "kind": "metric"]),
    ])
    let name = "applicationTimeMetrics.cumulativeForegroundTime"
    let source = HistogramSource.payloads(archive, figure: name)
    #expect(!source.hasBins && HistogramSource.payloads(archive, figure: Self.launches).hasBins)
    #expect(source.dimensions.map(\.name) == ["version", "file", "device", "kind", "mixed"])
    let side = source.side("2.0", choice(["version": "2.0"]))
    #expect(side.side.count == 2 && side.leftOut == 1 && side.side.average()?.value == 3)
    #expect(
      source.split(by: "device", choice()).map { "\($0.0.words) \($0.1.side.count)" }.sorted() == [
        "iPhone11,8 1", "iPhone9,1 1",
      ])
    #expect(source.course(choice()).map { $0.bins.map(\.lower) } == [[3], [3]])
  }
}
