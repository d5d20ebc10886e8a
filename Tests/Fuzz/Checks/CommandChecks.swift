import Foundation
import TerminalUI

@testable import Commands

/// Checks of the command line.
enum CommandChecks {
  private static let now = 800_000_000.0
  private static let parser = CommandLineParser(
    surroundings: Surroundings(environment: ["HOME": "/home/me"], now: now, exists: { _ in true }))

  /// Arguments, one a line, give an invocation within its limits or a message.
  static func arguments(_ input: UnsafeRawBufferPointer) -> String? {
    let arguments = input.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    do throws(UsageError) {
      return isSound(try parser.parse(arguments)) ? nil : "\(arguments) ask for what cannot be"
    } catch {
      return error.message.isEmpty ? "\(arguments) are refused without words" : nil
    }
  }

  private static func isSound(_ invocation: Invocation) -> Bool {
    switch invocation {
    case .text(let text): !text.isEmpty
    case .dashboard(let paths, let looks): !paths.isEmpty && isSound(looks)
    case .demo(_, let looks), .drive(_, _, let looks): isSound(looks)
    case .snapshot(let request):
      (1...1000).contains(request.size.width) && (1...1000).contains(request.size.height)
        && isSound(request.looks) && request.moment?.isFinite != false
        && request.window.map { $0.isFinite && $0 > 0 } != false
    case .stats(let stats, let paths):
      !paths.isEmpty && !stats.filter.since.isNaN && !stats.filter.until.isNaN
        && (1...256).contains(stats.workers)
    case .export(let request):
      !request.paths.isEmpty && !request.since.isNaN && !request.until.isNaN && request.output != ""
    case .tail(let request): !request.paths.isEmpty
    case .doctor(let paths): !paths.isEmpty
    case .importPayloads(let request): !request.paths.isEmpty && !request.store.isEmpty
    case .simulate(let request):
      request.speed.map { (0.25...60).contains($0) } != false && request.until?.isFinite != false
        && request.output != ""
    case .optimize(_, let keep): isSound(keep)
    case .demoHistory, .record, .diagram, .info: true
    }
  }

  private static func isSound(_ looks: Looks) -> Bool { looks.limits.values.allSatisfy(\.isFinite) }

  private static func isSound(_ keep: Retention) -> Bool {
    keep.cutoff(before: Date(timeIntervalSinceReferenceDate: now)).timeIntervalSinceReferenceDate <= now
  }

  /// A moment is a finite number of seconds, and an age is none that lies ahead.
  static func time(_ input: UnsafeRawBufferPointer) -> String? {
    let text = String(decoding: input, as: UTF8.self)
    if let seconds = TimeArgument.seconds(text, now: now), !seconds.isFinite {
      return "\(text) is \(seconds)"
    }
    if let keep = Retention(text), !isSound(keep) { return "\(text) keeps only what is to come" }
    return nil
  }
}
