import Codecs
import Testing

@Suite("Suggestions")
struct SuggestionTests {
  @Test(
    "finds the nearest word",
    arguments: [
      ("snapshto", "snapshot"), ("stat", "stats"), ("sats", "stats"), ("hlep", "help"),
      ("SIMULATE", "simulate"),
      ("exprot", "export"),
    ])
  func nearest(typed: String, meant: String) {
    #expect(
      Suggestion.closest(to: typed, in: ["stats", "snapshot", "simulate", "export", "help"]) == meant)
  }

  @Test("suggests nothing for what is like none of the words", arguments: ["", "xyz", "mistertop", "s"])
  func nothing(typed: String) {
    #expect(Suggestion.closest(to: typed, in: ["stats", "snapshot", "simulate"]) == nil)
  }

  @Test("takes the first by name of two that are as near")
  func tie() {
    #expect(Suggestion.closest(to: "p9", in: ["p99", "p95", "p90"]) == "p90")
  }

  @Test("does not take long over long texts")
  func long() {
    #expect(Suggestion.closest(to: String(repeating: "a", count: 1_000_000), in: ["stats"]) == nil)
  }
}
