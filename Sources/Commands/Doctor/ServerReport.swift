import ClickHouse
import Codecs
import Platform
import TerminalUI

/// The part of `doctor` about a database.
struct ServerReport {
  /// Seconds by which a server's clock may differ without being mentioned.
  private static let toleratedSkew = 2.0

  let server: ServerOperand
  let context: CommandContext

  /// - Returns: True if nothing is missing and nothing is counted wrongly.
  func run() -> Bool {
    #if os(Linux)
      do throws(ServerFailure) {
        let link = try server.link(context.environment, stop: WakeSignal())
        let found = try Examiner(server.address, over: link).examine()
        context.console.write(Self.text(found, of: server.address))
        return found.isSound
      } catch {
        context.console.writeError("mistertop doctor: \(server.address.server) \(error.sentence)")
      }
    #else
      context.console.writeError("mistertop doctor: only Linux can ask a server yet")
    #endif
    return false
  }

  /// The findings as text that is safe to print on a terminal.
  static func text(_ found: Examination, of address: ServerAddress) -> String {
    var text =
      "\(address.server), database \(address.database): ClickHouse \(SafeText.sanitized(found.version))\n"
    text += "  samples   \(count(found.samples, "sample")) of \(count(found.hosts, "host"))"
    text += " in \(count(found.streams, "stream"))\n"
    if let times = found.times {
      let format = SampleFormatter()
      text += "  times     \(format.time(times.lowerBound)) to \(format.time(times.upperBound))\n"
    }
    text += "  clock     \(clockText(found.clockSkew))\n"
    text += "  numbers   \(streamText(found.faultyStreams))\n"
    for stream in found.faultyStreams {
      let host = SafeText.truncated(SafeText.sanitized(stream.host), to: 40)
      text += "    \(host), stream \(SafeText.sanitized(stream.stream)): \(stream.missing) missing, "
      text += "\(stream.repeated) twice\n"
    }
    text += "  rollups   \(found.faultyRollups.isEmpty ? "match the samples" : "do not match the samples")\n"
    for rollup in found.faultyRollups {
      text +=
        "    \(rollup.table): \(count(rollup.slots, "slot")) off, \(count(rollup.lacking, "value")) too few, "
      text += "\(rollup.surplus) too many\n"
    }
    return text + remedy(found, of: address)
  }

  private static func clockText(_ skew: Double) -> String {
    guard skew.magnitude > toleratedSkew else { return "matches this machine's" }
    return "\(DurationFormat.text(skew.magnitude)) \(skew > 0 ? "ahead of" : "behind") this machine's"
  }

  private static func streamText(_ streams: [Examination.Stream]) -> String {
    guard streams.count >= Examination.streamLimit else {
      return streams.isEmpty
        ? "without gaps or repetitions" : "\(Plural.count(streams.count, "stream")) with gaps or repetitions"
    }
    return "gaps or repetitions in many streams; the worst \(streams.count)"
  }

  /// The statements that complete the rollups, if they lack anything.
  private static func remedy(_ found: Examination, of address: ServerAddress) -> String {
    guard !found.faultyRollups.isEmpty else { return "" }
    var text = ""
    if found.faultyRollups.contains(where: { $0.surplus > 0 }) {
      text += "  to remove surplus values: delete the slots, and rebuild them from the samples\n"
    }
    guard found.faultyRollups.contains(where: { $0.lacking > 0 }) else { return text }
    let schema = Schema(database: address.database, cluster: address.cluster)
    return text + "  to add the missing values: run this while nothing is shipped\n\n" + schema.repair
  }

  private static func count(_ number: UInt64, _ noun: String) -> String {
    Plural.count(Int(clamping: number), noun)
  }
}
