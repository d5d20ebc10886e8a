import TerminalUI
import Testing

@testable import DashboardCore
@testable import HistogramScreen

@Suite("What the Histogram screen has computed beside the loop")
struct HistogramWorkTests {
  private var model: Model

  init() {
    adoptUTF8()
    model = HistogramFixture.model(120, 36)
  }

  private var sides: [String?] {
    [model.histogram.content.figures?.a.name, model.histogram.content.figures?.b?.name]
  }

  /// Presses keys; the work that follows from them is not done.
  private mutating func press(_ keys: KeyPress...) -> [Work] {
    update(&model, keys.map { .input(.key($0)) }).compactMap {
      if case .work(let work) = $0 { work } else { nil }
    }
  }

  @Test("the old frame stays until the new one is computed")
  mutating func stays() throws {
    let work = try #require(press(KeyPress("V")).first)
    #expect(sides == ["2.4.1", "2.4.0"] && model.histogram.options.sides.a != nil)
    #expect(press(KeyPress("V")).isEmpty, "one piece of work at a time")
    let next = update(&model, .worked(work.id, work.run()))
    #expect(sides == ["2.4.0", "2.3.2"])
    #expect(model.doAtOnce(next).isEmpty && sides == ["2.3.2", "2.3.1"])
  }

  @Test("what was computed of another metric is not shown")
  mutating func other() throws {
    let work = try #require(press(KeyPress("V")).first)
    let letters = "rtt".map { KeyPress($0) }
    _ = update(&model, ([KeyPress("/")] + letters + [KeyPress(.enter)]).map { .input(.key($0)) })
    #expect(model.histogram.subject == .series(HistogramFixture.rtt))
    _ = update(&model, .worked(work.id, work.run()))
    #expect(model.histogram.content.figures == nil && model.histogram.underWay == nil)
  }

  @Test("rows of one size are drawn in any other", arguments: [(20, 5), (240, 80)])
  func sizes(width: Int, height: Int) {
    var model = HistogramFixture.model(width, height)
    for key in [KeyPress(.tab), KeyPress(.tab), KeyPress(.tab), KeyPress(.tab)] {
      for width in [1, 45, 110, 250] {
        for height in [1, 12, 40] {
          let size = Size(width: width, height: height)
          _ = update(&model, .input(.resize(size)))
          #expect(view(model).buffer.size == size)
        }
      }
      _ = update(&model, .input(.key(key)))
    }
  }

  @Test("= cuts the rows again for where the playhead stands, as often as it is pressed")
  mutating func fits() {
    var grids: [HistogramGrid?] = []
    for moves in [0, 18] {
      for _ in 0..<moves { HistogramFixture.press(KeyPress(.left), &model) }
      HistogramFixture.press(KeyPress("="), &model)
      grids.append(model.histogram.content.figures?.grid)
    }
    #expect(grids.allSatisfy { $0 != nil } && model.histogram.fitted?.window != nil)
    #expect(grids[0] != grids[1])
  }
}
