/// A scenario as displayed in a list.
package struct ScenarioTitle: Hashable, Sendable {
  /// The name on the command line and in the record.
  package let name: String
  /// The name for people.
  package let title: String
  /// The course of events in it.
  package let story: String

  package init(name: String, title: String, story: String) {
    self.name = name
    self.title = title
    self.story = story
  }
}
