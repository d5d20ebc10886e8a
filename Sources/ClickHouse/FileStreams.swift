package import JSONLines
package import Platform

/// The rows of a stream that the server has behind a saved place.
package struct ArrivedRows: Hashable, Sendable {
  /// The number after the last row.
  package let end: UInt64
  /// The time of the first row, in nanoseconds since 1970.
  package let firstTime: Int64

  package init(end: UInt64, firstTime: Int64) {
    (self.end, self.firstTime) = (end, firstTime)
  }
}

/// The streams of one path: the samples of each file that it has led to are numbered from 0.
///
/// The same lines get the same numbers in every process that reads them, so what the server has is recognized by the
/// numbers alone. A stream has the lines of one file in order, and nothing of it is sent before the position at its start
/// is saved: lines that are read again after a kill belong to a stream that is known.
package struct FileStreams: Sendable {
  private struct Entry {
    var identity: FileIdentity
    var born: Int64?
    var place: StreamPlace
    /// The saved offset, until something is read.
    var offset: UInt64?
  }

  /// Maximum streams that may be returned to: those of a position, and some that are being left.
  private static let capacity = TailPosition.lateCapacity + 4

  /// Most recently read last.
  private var entries: [Entry] = []
  /// The file whose first sample begins a stream.
  private var beginning: FileStatus?
  private let arrived: [UInt64: ArrivedRows]
  /// Streams that an earlier process has begun to send.
  ///
  /// A start has no bytes to recognize the file by.
  private var begun: [UInt64] = []
  private let newStream: @Sendable () -> UInt64

  /// - Parameters:
  ///   - position: The saved one.
  ///   - newStream: Draws the number of a stream.
  package init(
    after position: TailPosition?, arrived: [UInt64: ArrivedRows] = [:],
    newStream: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
  ) {
    (self.arrived, self.newStream) = (arrived, newStream)
    for position in (position?.late ?? []) + (position.map { [$0] } ?? []) {
      guard let place = position.stream else { continue }
      if position.mark.offset == 0 {
        begun.append(place.stream)
      } else {
        entries.append(
          Entry(
            identity: position.identity, born: position.born, place: place, offset: position.mark.offset))
      }
    }
  }

  /// Reading continues elsewhere.
  package mutating func restarted(_ restart: TailRestart, in file: FileStatus) {
    let known = entries.lastIndex { FileIdentity.areOne(($0.identity, $0.born), file) }
    let goesOn: Int?
    switch restart.reason {
    // The same lines may be in a copy.
    case .resumed: goesOn = known ?? entries.lastIndex { $0.offset == restart.offset }
    case .continued, .compacted: goesOn = known ?? entries.indices.last
    case .began, .rotated, .recreated, .truncated, .cutBack:
      if let known { entries.remove(at: known) }
      goesOn = nil
    }
    beginning = goesOn == nil ? file : nil
    guard let goesOn else { return }
    let entry = entries.remove(at: goesOn)
    entries.append(Entry(identity: file.identity, born: file.born ?? entry.born, place: entry.place))
  }

  /// True if a sample begins a stream: the position before it has to be saved before it is sent.
  ///
  /// - Parameter time: The time of the sample, in nanoseconds since 1970.
  package mutating func begins(at time: Int64) -> Bool {
    guard let file = beginning else { return false }
    beginning = nil
    let known = begun.firstIndex { arrived[$0]?.firstTime == time }
    let stream = known.map { begun.remove(at: $0) } ?? newStream()
    entries.append(Entry(identity: file.identity, born: file.born, place: StreamPlace(stream: stream)))
    if entries.count > Self.capacity { entries.removeFirst() }
    return true
  }

  /// Numbers the next sample.
  ///
  /// - Returns: `nil` if the server has it already.
  package mutating func nextPlace() -> StreamPlace? {
    guard let place = entries.last?.place else { return nil }
    entries[entries.count - 1].place.next = place.next &+ 1
    return place.next < arrived[place.stream]?.end ?? 0 ? nil : place
  }

  /// A position with the places in the streams of its files.
  package func numbered(_ position: TailPosition) -> TailPosition {
    var position = withPlace(position)
    position.late = position.late.map(withPlace)
    return position
  }

  private func withPlace(_ position: TailPosition) -> TailPosition {
    var position = position
    position.stream = entries.last { ($0.identity, $0.born) == (position.identity, position.born) }?.place
    // Too little was read to recognize the file, so it is read from the start again.
    if position.mark.offset == 0 { position.stream?.next = 0 }
    return position
  }
}
