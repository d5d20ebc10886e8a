import Essentials
import Platform

/// A file that is small enough to be read whole: a configuration or a scenario.
///
/// Reading it never waits: a pipe or a device is refused.
struct WholeFile {
  /// Why it is not read.
  enum Problem: Error {
    case failure(FileFailure)
    case notAFile(FileKind)
    case tooLong(limit: Int)

    /// The text after the file's name and a colon.
    ///
    /// - Parameter purpose: What the file was to be, such as `a scenario`.
    func text(for purpose: String) -> String {
      switch self {
      case .failure(let failure):
        FileErrorFormatter.problem(POSIXError(POSIXErrorCode(rawValue: failure.number) ?? .EIO))
      case .notAFile(.directory): "is a folder, not a file"
      case .notAFile: "is not a regular file"
      case .tooLong(let limit): "has more than \(limit >> 20) MB, which is too long for \(purpose)"
      }
    }
  }

  let bytes: [UInt8]
  let status: FileStatus

  /// Reads it.
  ///
  /// - Parameter limit: The largest size in bytes.
  init(path: String, limit: Int) throws(Problem) {
    do throws(FileFailure) {
      let descriptor = try Posix.open(path)
      defer { Posix.close(descriptor) }
      status = try Posix.status(of: descriptor)
      switch status.kind {
      // No more room than the file fills; what the system makes up says that it is empty.
      case .regular where status.size > 0:
        bytes = try Posix.read(descriptor, at: 0, count: min(limit + 1, Int(clamping: status.size)))
      case .regular, .generated: bytes = try Posix.read(descriptor, at: 0, count: limit + 1)
      case .directory, .fifo, .socket, .device, .other: bytes = []
      }
    } catch {
      throw .failure(error)
    }
    guard status.kind == .regular || status.kind == .generated else { throw .notAFile(status.kind) }
    guard bytes.count <= limit else { throw .tooLong(limit: limit) }
  }
}
