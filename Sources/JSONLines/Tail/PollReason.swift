/// The reason that a file is looked at by size and time.
package enum PollReason: Hashable, Sendable {
  /// The user asked for it.
  case requested
  /// Others change the contents of the file system, which has this name.
  case fileSystem(String)
  /// The file has changed, and no event came.
  case noEvent
}
