import Testing

@testable import TerminalNcurses

@Test(
  "base 64 is that of the standard",
  arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("\u{FF}é", "w7/DqQ=="),
  ])
func base64(plain: String, encoded: String) {
  #expect(Base64.encode(Array(plain.utf8)) == encoded)
}
