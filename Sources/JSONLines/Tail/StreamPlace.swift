/// A place in the numbered samples of a file that are sent elsewhere.
package struct StreamPlace: Hashable, Sendable {
  /// The stream, drawn at random when reading of the file begins.
  package var stream: UInt64
  /// The number of the next sample, from 0.
  package var next: UInt64

  package init(stream: UInt64, next: UInt64 = 0) {
    self.stream = stream
    self.next = next
  }
}
