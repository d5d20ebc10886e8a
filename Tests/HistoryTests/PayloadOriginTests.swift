import Testing

@testable import History

@Suite("Origins of payload figures")
struct PayloadOriginTests {
  @Test(
    "the name of a figure in a state has the state and the figure",
    arguments: [
      ("stateMetrics.com.app.screen/home.duration", "com.app.screen/home", "duration"),
      ("stateMetrics.com.app.screen/v1.2.duration", "com.app.screen/v1.2", "duration"),
      (
        "stateMetrics.a/b (tier: 1.5).memoryMetrics.peakMemoryUsage", "a/b (tier: 1.5)",
        "memoryMetrics.peakMemoryUsage"
      ),
      ("stateMetrics.-/-.signpostMetrics.c.d/e.totalCount", "-/-", "signpostMetrics.c.d/e.totalCount"),
    ])
  func states(name: String, state: String, figure: String) {
    let found = StateFigureName(name)
    #expect(found?.state == state && found?.figure == figure)
  }

  @Test(
    "other names have none",
    arguments: [
      "memoryMetrics.peakMemoryUsage", "stateMetrics.a.duration", "stateMetrics.a/b", "stateMetrics.", "",
    ])
  func none(name: String) {
    #expect(StateFigureName(name) == nil)
  }
}
