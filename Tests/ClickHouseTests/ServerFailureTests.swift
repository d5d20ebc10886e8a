import HTTPClient
import Testing

@testable import ClickHouse

@Suite("Failures of a server, in one sentence")
struct ServerFailureTests {
  private static func sentence(_ status: Int, _ body: String) -> String {
    ServerFailure(HTTPAnswer(status: status, body: Array(body.utf8))).sentence
  }

  @Test(arguments: [
    (
      500, "Code: 193, e.displayText() = DB::Exception: Wrong password for user writer",
      "refuses the user or the password"
    ),
    (516, "Code: 516. DB::Exception: writer: Authentication failed", "refuses the user or the password"),
    (
      404, "Code: 60, e.displayText() = DB::Exception: Table shop.samples doesn't exist.",
      "does not have the tables"
    ),
    (404, "Code: 81. DB::Exception: Database shop does not exist", "does not have the tables"),
    (500, "Code: 16, e.displayText() = DB::Exception: No such column seq", "has tables of another version"),
    (500, "Code: 497. DB::Exception: Not enough privileges", "does not allow this user"),
    (
      500, "Code: 241. DB::Exception: Memory limit exceeded",
      "refuses: Code: 241. DB::Exception: Memory limit exceeded"
    ),
    (302, "moved", "redirects (302), which is not followed"),
    (
      502, "<html>\n\u{1B}[31mBad Gateway",
      "answers 502 without an error of ClickHouse: <html> [31mBad Gateway"
    ),
    (200, "", "answers 200 without an error of ClickHouse: "),
  ])
  func answers(status: Int, body: String, beginning: String) {
    #expect(Self.sentence(status, body).hasPrefix(beginning))
  }

  @Test func `Without an answer`() {
    let failures: [(HTTPFailure, String)] = [
      (HTTPFailure(.unreachable, "Connection refused"), "does not answer: Connection refused"),
      (HTTPFailure(.timedOut, "after 60000 ms"), "has accepted the connection, but does not answer"),
      (
        HTTPFailure(.unavailable, "libcurl is not installed"),
        "cannot be reached from here: libcurl is not installed"
      ),
    ]
    for (failure, sentence) in failures { #expect(ServerFailure(failure).sentence == sentence) }
  }

  @Test func `However long the server's words are, the sentence is short`() {
    #expect(Self.sentence(500, "Code: 1. " + String(repeating: "x", count: 100_000)).count < 400)
  }
}
