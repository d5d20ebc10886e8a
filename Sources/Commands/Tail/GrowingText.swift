import DashboardCore
import Essentials
import JSONLines
import Platform
import TerminalUI

/// A file of `tail` that only a stream can read: a packed one, or a text that may still grow.
///
/// A text is looked at again after a while; it is not followed to another file of its name.
final class GrowingText {
  /// Seconds between two looks.
  static let pause = 0.5

  private let path: String
  private let descriptor: Int32
  private let stream: PlainStream
  private var printer: SamplePrinter
  private var offset: UInt64 = 0
  private let report: (String) -> Void
  /// False if the file could not be read completely.
  private(set) var isWhole = true

  /// - Throws: `FileFailure` if the file cannot be opened.
  init(
    path: String, selection: SampleSelection, mapping: LineMapping?, report: @escaping (String) -> Void
  ) throws(FileFailure) {
    self.path = path
    self.report = report
    descriptor = try Posix.open(path)
    stream = PlainStream(descriptor: descriptor, follows: true)
    printer = SamplePrinter(
      member: TailMember(index: 0, path: path), selection: selection, mapping: mapping)
  }

  deinit { Posix.close(descriptor) }

  /// True if more may be appended.
  var canGrow: Bool { stream.canGrow && isWhole }

  /// Prints what was added.
  func read(write: (String) -> Void) {
    guard isWhole else { return }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var text = ""
    do throws(FileFailure) {
      while case let count = try stream.read(into: buffer), count > 0 {
        printer.handle(
          .bytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]), offset: offset), text: &text,
          report: report)
        offset += UInt64(count)
        write(text)
        text.removeAll(keepingCapacity: true)
      }
    } catch {
      report("\(SafeText.sanitized(path)): \(error.text)")
      isWhole = false
    }
    guard !canGrow else { return }
    printer.finish(text: &text, report: report)
    write(text)
    if let note = stream.note {
      report("\(SafeText.sanitized(path)): \(note.text)")
      isWhole = false
    }
  }
}
