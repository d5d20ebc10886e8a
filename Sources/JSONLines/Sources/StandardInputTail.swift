#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads standard input until it ends.
final class StandardInputTail {
  private let descriptor: Int32
  private let member: TailMember
  private var offset: UInt64 = 0
  private var state = TailState.starting
  private var buffer: [UInt8] = []

  init(descriptor: Int32, member: TailMember) {
    self.descriptor = descriptor
    self.member = member
  }

  /// `nil` once it has ended: a closed pipe is readable for ever.
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
    while left > 0, isReadable {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else {
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        show(count == 0 ? .ended : .failing(errno), deliver)
        buffer = []
        return
      }
      buffer.withUnsafeBytes { bytes in
        deliver(member, .bytes(UnsafeRawBufferPointer(rebasing: bytes[..<count]), offset: offset))
      }
      offset += UInt64(count)
      left -= count
    }
  }

  private func show(_ new: TailState, _ deliver: (TailMember, TailOutput) -> Void) {
    state = new
    deliver(member, .state(new))
  }

  /// Asked before each read, so that a terminal or pipe without O_NONBLOCK never holds the others up.
  private var isReadable: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }
}
