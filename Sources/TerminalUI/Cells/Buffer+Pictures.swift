extension Buffer {
  /// The picture as plain text, one string a row, with the spaces at the ends of rows.
  package var lines: [String] {
    (0..<size.height).map { y in
      var line = ""
      for x in 0..<size.width { cells[y * size.width + x].appendText(to: &line) }
      return line
    }
  }
}
