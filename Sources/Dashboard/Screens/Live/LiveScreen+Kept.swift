// What comes back with the file's next opening.
extension LiveScreen {
  package static func kept(_ model: Context) -> [String: String] {
    var kept: [String: String] = [:]
    if !model.state.filter.isEmpty { kept["filter"] = model.state.filter }
    if model.state.sort != .unusual { kept["sort"] = model.state.sort.rawValue }
    if model.state.isInverted { kept["inverted"] = "yes" }
    if model.state.isTree { kept["tree"] = "yes" }
    return kept
  }

  package static func restore(_ model: inout Context, _ kept: [String: String]) {
    model.state.filter = kept["filter"] ?? ""
    model.state.sort = kept["sort"].flatMap(SortKey.init) ?? .unusual
    model.state.isInverted = kept["inverted"] == "yes"
    model.state.isTree = kept["tree"] == "yes"
    // There is nothing to sort before the samples are read.
    model.state.mustSort = model.state.sort != .unusual
  }
}
