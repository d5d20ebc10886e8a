import QueryLanguage
import Testing

@Suite("One spelling of a query")
struct CanonicalTextTests {
  @Test(
    "Has the cheap conditions first and quotes where they are needed",
    arguments: [
      ("", ""), ("  api   ms ", "api and ms"), ("P95>400ms AND api", "api and p95 > 400ms"),
      (">5", "now > 5"),
      ("a||b&&!c", "a or b and not c"), ("(a or b) c", "(a or b) and c"),
      ("(a and (b and c))", "a and b and c"),
      ("(a or (b or c))", "a or b or c"), ("not (a b)", "not (a and b)"), ("not not a", "not not a"),
      ("firing or p95 > 1 or a", "a or p95 > 1 or firing"),
      ("\"firing\" \"a b\" \"\"", "\"firing\" and \"a b\" and \"\""),
      ("\"a\\\"\\\\b\"", "\"a\\\"\\\\b\""), ("/a\\/b/ x*", "/a\\/b/ and x*"),
      ("route == /feed", "route = /feed"),
      ("\"p95\" = \"a b\"", "\"p95\" = \"a b\""), ("\"or\" != 2.*", "\"or\" != 2.*"),
      ("\"and\" \"/x\" \"!y\"", "\"and\" and \"/x\" and \"!y\""),
      ("route = a=b?c&d", "route = a=b?c&d"), ("\"p90\" > 1.50KB", "\"p90\" > 1.50KB"),
    ])
  func spelling(text: String, canonical: String) throws {
    let query = try Query.parse(text)
    #expect(query.canonicalText == canonical)
    #expect(try Query.parse(canonical) == query)
  }
}
