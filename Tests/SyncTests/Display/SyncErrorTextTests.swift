import Sync
import Testing

@Suite("Texts of errors")
struct SyncErrorTextTests {
  private static let statuses = [
    nil, 0, -1, 99, 200, 301, 400, 418, 429, 499, 500, 503, 599, 600, 99_999, .max, .min,
  ]
  private static let details = [
    "", " ", "down for maintenance", String(repeating: "long ", count: 200_000), "\u{1B}[31m\u{0}",
    "é\u{200F}שלום",
  ]

  @Test(
    "A-62: every error kind has non-empty text; HTTP and server errors contain the status, server errors also the server's text",
    arguments: SyncError.Code.allCases)
  func texts(code: SyncError.Code) {
    #expect(!SyncError(code).text.isEmpty)
    for status in Self.statuses {
      for detail in Self.details {
        let text = SyncError(code, status: status, detail: detail).text
        #expect(text.contains { !$0.isWhitespace })
        if let status { #expect(text.contains("\(status)")) }
        #expect(detail.isEmpty || text.hasSuffix(detail))
      }
    }
  }

  @Test(
    "the category of an error",
    arguments: [
      (.noConnection, nil, .noConnection), (.unauthorized, 401, .sessionExpired),
      (.forbidden, 403, .accessDenied), (.server, 500, .serverError), (.server, nil, .serverError),
      (.timeout, nil, .timeout), (.http, 401, .sessionExpired), (.http, 403, .accessDenied),
      (.http, 408, .timeout), (.http, 503, .serverError), (.http, 418, .other), (.http, 600, .other),
      (.notFound, 404, .other), (.undecodable, 200, .other), (.store, nil, .other), (.other, nil, .other),
    ] as [(SyncError.Code, Int?, SyncErrorCategory)])
  func categories(code: SyncError.Code, status: Int?, category: SyncErrorCategory) {
    #expect(SyncError(code, status: status).category == category)
    #expect(!category.label.isEmpty)
  }
}
