import Essentials
import Platform

/// Reads standard input until it ends, and unpacks it if it is packed.
final class StandardInputTail {
  private let descriptor: Int32
  private let stream: PlainStream
  private let member: TailMember
  private var offset: UInt64 = 0
  private var state = TailState.starting
  private var buffer: [UInt8] = []
  /// True if the last byte was a newline.
  private var isAtLineStart = true

  init(descriptor: Int32, member: TailMember) {
    self.descriptor = descriptor
    stream = PlainStream(descriptor: descriptor, waits: false)
    self.member = member
  }

  /// The descriptor; `nil` after the end, because a closed pipe stays readable.
  var openDescriptor: Int32? {
    switch state {
    case .ended, .failing: nil
    case .starting, .following, .missing, .noPermission, .notAFile: descriptor
    }
  }

  func run(budget: Int, deliver: (TailMember, TailOutput) -> Void) {
    guard openDescriptor != nil else { return }
    if state == .starting {
      show(.following, deliver)
      deliver(member, .restarted(TailRestart(reason: .began, offset: 0)))
      buffer = [UInt8](repeating: 0, count: 256 << 10)
    }
    var left = budget
    while left > 0, stream.hasInput || isReadable {
      guard let count = readNext(deliver) else { return }
      buffer.withUnsafeBytes { bytes in
        deliver(member, .bytes(UnsafeRawBufferPointer(rebasing: bytes[..<count]), offset: offset))
      }
      isAtLineStart = buffer[count - 1] == Self.newline
      offset += UInt64(count)
      left -= count
    }
  }

  /// Reads into the buffer; `nil` if no data is available, and after the end.
  private func readNext(_ deliver: (TailMember, TailOutput) -> Void) -> Int? {
    let stream = stream
    let result = buffer.withUnsafeMutableBytes { room in
      Result { () throws(FileFailure) in try stream.read(into: room) }
    }
    switch result {
    case .success(let count) where count > 0: return count
    case .success:
      endLine(deliver)
      // The number of missing bytes is unknown for a packed stream.
      if let note = stream.note {
        deliver(member, .gap(TailGap(reason: .unreadable, bytes: 0, note: note.text)))
      }
      show(.ended, deliver)
    case .failure(let failure):
      guard failure.number != EAGAIN else { return nil }
      endLine(deliver)
      show(.failing(failure.number), deliver)
    }
    buffer = []
    return nil
  }

  private static let newline = UInt8(ascii: "\n")

  /// Completes the last line: no more input can follow.
  private func endLine(_ deliver: (TailMember, TailOutput) -> Void) {
    guard !isAtLineStart else { return }
    isAtLineStart = true
    withUnsafeBytes(of: Self.newline) { deliver(member, .bytes($0, offset: offset)) }
    offset += 1
  }

  private func show(_ new: TailState, _ deliver: (TailMember, TailOutput) -> Void) {
    state = new
    deliver(member, .state(new))
  }

  /// Checked before each read, so that a terminal or pipe without O_NONBLOCK never blocks the other members.
  private var isReadable: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }
}
