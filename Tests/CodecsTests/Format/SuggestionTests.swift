import Codecs
import Testing

@Suite("What was probably meant")
struct SuggestionTests {
  @Test(
    "Is the known word that differs least",
    arguments: [
      ("stast", "stats"), ("STATS", "stats"), ("stat", "stats"), ("exprot", "export"),
      ("snapshoot", "snapshot"),
      ("tial", "tail"), ("api.requst_ms", "api.request_ms"), ("histgram", nil), ("x", nil), ("", nil),
      ("tali", "tail"),
      ("xyz", nil), ("api.rqust_m", "api.request_ms"),
    ] as [(String, String?)])
  func closest(word: String, meant: String?) {
    let known = ["stats", "export", "tail", "snapshot", "api.request_ms"]
    #expect(Suggestion.closest(to: word, among: known) == meant)
  }

  @Test(
    "Is at most three names of metrics: of the same last part, begun so, or spelled much like it",
    arguments: [
      ("status", "api.status or net.status"), ("STATUS", "api.status or net.status"),
      ("stat", "api.status, api.status_code or net.status"),
      ("statsu", "api.status or net.status"), ("a", "api.call, api.status or api.status_code"),
      ("call", "api.call"),
      ("nothing", nil), ("", nil),
    ] as [(String, String?)])
  func nearest(word: String, meant: String?) {
    let names = ["api.status", "net.status", "api.status_code", "api.call"]
    #expect(Suggestion.list(Suggestion.nearest(to: word, among: names)) == meant)
  }

  @Test("Is the first of those that are equally near")
  func ties() {
    #expect(Suggestion.closest(to: "bat", among: ["cat", "hat", "rat"]) == "cat")
    #expect(Suggestion.closest(to: "hats", among: ["cats", "hats"]) == "hats")
  }

  @Test("Is not looked for where that would take long")
  func long() {
    let word = String(repeating: "a", count: 201)
    #expect(Suggestion.closest(to: word, among: [word]) == nil)
  }
}
