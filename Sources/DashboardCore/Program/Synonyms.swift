/// Synonyms from other programs for finding an action.
enum Synonyms {
  /// The user's words, and the equivalent words in titles.
  private static let table: [(said: String, meant: [String])] = [
    ("find search grep query look for", ["filter", "match"]),
    ("pause stop halt hold resume continue play follow tail", ["freeze", "run or pause", "live end"]),
    ("exit close abort", ["quit", "back"]),
    ("yank clipboard osc52", ["copy"]),
    ("bookmark", ["mark"]),
    ("jump seek goto date", ["go to a time", "mark by its letter"]),
    ("refresh redraw repaint clear screen", ["redraw"]),
    ("maximise maximize zoom fullscreen", ["maximise"]),
    ("scale range span", ["window"]),
    ("group hierarchy nest", ["tree"]),
    ("order", ["sort"]),
    ("reverse invert descending ascending", ["reverse the order"]),
    ("expand collapse unfold drill", ["fold", "open"]),
    ("bad errors malformed invalid skipped", ["rejected"]),
    ("incident warning problem anomaly", ["alert"]),
    ("distribution percentile quantile", ["histogram"]),
    ("diff versus baseline", ["a and b", "histogram"]),
    ("vim emacs view source", ["editor"]),
    ("save dump csv json write", ["file", "write the"]),
    ("network disconnect airplane", ["offline"]),
    ("break inject chaos failure", ["fault"]),
    ("fork what if alternative", ["branch"]),
    ("revert", ["undo"]),
    ("shortcuts bindings commands manual", ["all keys"]),
    ("window focus tab", ["pane"]),
    ("logarithm log scale", ["logarithmic"]),
    ("background bg", ["suspend"]),
  ]

  /// The additional words that find an action with this title.
  static func words(for title: String) -> String {
    let title = title.lowercased()
    return table.filter { $0.meant.contains(where: title.contains) }.map(\.said).joined(separator: " ")
  }
}
