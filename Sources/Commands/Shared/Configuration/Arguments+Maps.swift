import Codecs

extension Arguments {
  /// The configuration that applies in addition to these options.
  var configuration: Configuration {
    ConfigurationFile(path: value(.config) ?? environment.configurationFile).configuration
  }

  /// The text of the mapping that the configuration defines under a name.
  func map(named name: String) throws(UsageError) -> String {
    let maps = configuration.maps
    if let text = maps[name] { return text }
    let reason =
      maps.isEmpty
      ? "it is not a mapping such as time=ts,name=msg,value=ms, and the configuration names none"
      : "the configuration has no map of this name"
        + Suggestion.question(about: name, among: maps.keys.sorted())
    throw .invalidMapping(name, reason: reason)
  }
}
