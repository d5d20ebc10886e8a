import DashboardCore
import Foundation
import Platform
import TerminalUI

@testable import Commands

/// Checks of the command line.
enum CommandChecks {
  private static let now = Timestamp(800_000_000)
  private static let parser = CommandLineParser(
    environment: ProcessEnvironment(variables: ["HOME": "/home/me"], now: now, exists: { _ in true }))

  /// Arguments, one a line, give a request within its limits or a message.
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
    case .command(let command): isSound(command.request)
    }
  }

  private static func isSound(_ request: any Sendable) -> Bool {
    switch request {
    case let request as DashboardCommand.Request: !request.paths.isEmpty && isSound(request.view)
    case let request as DemoCommand.Request:
      switch request {
      case .app(_, let view), .scenario(_, _, let view), .devices(_, _, let view): isSound(view)
      case .history: true
      }
    case let request as SnapshotCommand.Request:
      (1...1000).contains(request.size.width) && (1...1000).contains(request.size.height)
        && isSound(request.view) && request.moment?.seconds.isFinite != false
        && request.window.map { $0.isFinite && $0 > 0 } != false
    case let request as StatsCommand.Request:
      !request.paths.isEmpty && isSound(request.selection) && (1...256).contains(request.workers)
    case let request as ExportCommand.Request:
      !request.paths.isEmpty && isSound(request.selection) && request.output != ""
    case let request as TailCommand.Request: !request.paths.isEmpty && request.cursorFile != ""
    case let request as DoctorCommand.Request: !request.paths.isEmpty
    case let request as ImportCommand.Request: !request.paths.isEmpty && !request.store.isEmpty
    case let request as SimulateCommand.Request:
      request.speed.map { (0.25...60).contains($0) } != false && request.until?.isFinite != false
        && request.output != ""
    case let request as OptimizeCommand.Request: isSound(request.keep)
    default: true
    }
  }

  private static func isSound(_ view: ViewOptions) -> Bool { view.limits.all.allSatisfy(\.bound.isFinite) }

  private static func isSound(_ selection: SampleSelection) -> Bool {
    !selection.since.seconds.isNaN && !selection.until.seconds.isNaN
  }

  private static func isSound(_ keep: Retention) -> Bool {
    keep.cutoff(before: now.date) <= now.date
  }

  /// A moment is a finite number of seconds, and an age is none that lies ahead.
  static func time(_ input: UnsafeRawBufferPointer) -> String? {
    let text = String(decoding: input, as: UTF8.self)
    if let moment = TimeArgument.moment(text, now: now), !moment.seconds.isFinite {
      return "\(text) is \(moment)"
    }
    if let keep = Retention(text), !isSound(keep) { return "\(text) keeps only what is to come" }
    return nil
  }
}
