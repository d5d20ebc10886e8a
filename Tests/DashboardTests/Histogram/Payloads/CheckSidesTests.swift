import Aggregation
import History
import Platform
import Testing

@testable import DashboardCore
@testable import PayloadsScreen

@Suite("The sides that a condition compares")
struct CheckSidesTests {
  /// Days with a level in each of two states, whose names have dots and slashes.
  private static let archive = {
    var archive = PayloadArchive()
    archive.figures = [
      .init(name: "memoryMetrics.peakMemoryUsage", unit: "kB"),
      .init(name: "stateMetrics.com%2Fapp.arm/v1.0 control.memoryMetrics.peakMemoryUsage", unit: "kB"),
      .init(name: "stateMetrics.com%2Fapp.arm/v1.0 control.duration", unit: "sec"),
      .init(name: "stateMetrics.com%2Fapp.arm/treat%2Fment.memoryMetrics.peakMemoryUsage", unit: "kB"),
    ]
    for day in 0..<60 {
      var payload = PayloadArchive.Payload()
      (payload.version, payload.source) = (day % 2 == 0 ? "2.0" : "1.0", "file\(day % 3).json#\(day)")
      payload.facts = ["kind": "metric"]
      payload.time = Timestamp(Double(day) * 86_400)
      payload.values = [(0, .number(Double(200 + day))), (1, .number(100 + Double(day))), (2, .number(60))]
      if day % 4 == 0 { payload.values.append((3, .number(400))) }
      archive.payloads.append(payload)
    }
    return archive
  }()

  private func answer(_ condition: String, version: String? = nil) throws -> PayloadCheck.Answer {
    try #require(
      try PayloadCheck(Self.archive, version: version).answers(to: [PayloadCondition(condition)]).first)
  }

  @Test("the labels of states are those of figures by state, and their figures have the names of the day's")
  func states() {
    #expect(Self.archive.stateLabels == ["treat/ment", "v1.0 control"])
    let control = Self.archive.inState("v1.0 control")
    #expect(
      control.figures.map(\.name) == [
        "memoryMetrics.peakMemoryUsage", "applicationTimeMetrics.cumulativeForegroundTime",
      ])
    #expect(control.payloads.count == 60 && Self.archive.inState("treat/ment").payloads.count == 15)
  }

  @Test("than takes a version, a state, or a file; anything else is answered with what there is")
  func than() throws {
    let state = try answer("memory higher than v1.0 control")
    #expect(state.kind == .holds && state.sentence.contains("of 2.0, "))
    #expect(state.sentence.contains("of state v1.0 control, +"))
    #expect(try answer("memory higher than 1.0").kind == .clear)
    let file = try answer("memory higher than some/folder/file1.json")
    #expect(file.kind == .clear && file.sentence.contains("(20 days) of file1.json"))
    let unknown = try answer("memory higher than 9.9")
    #expect(
      unknown.kind == .unknown
        && unknown.sentence
          == "no payload is of version 9.9, nor of such a file or state; there are 2.0, 1.0; states are treat/ment, v1.0 control"
    )
    #expect(try answer("memory higher", version: "1.0").sentence == "there is no version before 1.0")
  }

  @Test("archives are joined by the names of their figures, and every payload keeps its values")
  func join() {
    var other = PayloadArchive()
    other.figures = [
      .init(name: "new", unit: "count"), .init(name: "memoryMetrics.peakMemoryUsage", unit: "kB"),
    ]
    var payload = PayloadArchive.Payload()
    payload.values = [(0, .number(7)), (1, .number(8)), (9, .number(1)), (-1, .number(1))]
    other.payloads = [payload]
    var all = Self.archive
    all.mark(side: "A")
    other.mark(side: "B")
    all.join(other)
    #expect(all.figures.count == 5 && all.figures.last?.name == "new" && all.payloads.count == 61)
    #expect(all.payloads.last?.values.map(\.figure) == [4, 0])
    #expect(all.payloads.last?.facts["side"] == "B" && all.payloads.first?.facts["side"] == "A")
  }
}
