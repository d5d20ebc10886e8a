package import Foundation

/// What `import` is to read, and where to.
package struct ImportRequest: Sendable, Equatable {
  /// Files and folders; `-` is standard input.
  package var paths: [String]
  /// The metrics file.
  package var store: String
  /// The zone of the devices, for times that are written without one.
  package var timeZone: TimeZone
  /// Whether to tell what would be recorded, and record nothing.
  package var isRehearsal = false

  package init(paths: [String], store: String, timeZone: TimeZone) {
    (self.paths, self.store, self.timeZone) = (paths, store, timeZone)
  }
}
