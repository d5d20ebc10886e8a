import Essentials
import SimulationKit
import SyncSimulation

/// A scenario of the sync engine to begin with: every part that a file can have, with what it means.
enum ScenarioTemplate {
  /// The text of a file that is named so, with the transitions that the engine of today makes of it.
  ///
  /// - Throws: What reading and playing it throw.
  static func text(name: String) throws -> String {
    let transitions = try Scenario(json5: Data(text(name: name, expected: []).utf8)).transitions()
    return text(name: name, expected: transitions)
  }

  private static func text(name: String, expected: [String]) -> String {
    let lines = expected.map { "\n    \(JSON5Text.quoted($0))," }.joined()
    return """
      // A scenario of the sync engine. docs/scenarios.md has everything that a file can say.
      //
      //   mistertop simulate FILE                          what the engine decides
      //   mistertop simulate FILE --check                  whether that is what 'expected' lists
      //   mistertop simulate FILE --what-if 'without 429'  the same with one thing different
      //   mistertop demo --scenario FILE                   on the screen
      {
        name: \(JSON5Text.quoted(name)),
        title: "A limit on a Sunday",
        story: "Three changes wait while the server answers 429 for a minute.",
        // All chance comes from here: the same seed gives the same course.
        seed: 1,
        start: "2026-11-22T09:00:00Z",
        // In seconds. Nothing happens behind the end.
        duration: 180,
        // The device has been synced with what the server holds; without this line it begins empty.
        settled: true,
        server: [{ kind: "eventType", count: 2 }, { kind: "event", count: 20 }],
        // Constants of the engine that are not the usual ones.
        configuration: { attempts: 5 },
        acts: [
          // The app asks for a sync every 30 s and after each change.
          { at: 0, do: "trigger", every: 30, afterChanges: true },
          // The screen shows a caption until the next one.
          { at: 10, do: "fault", fault: "rateLimit", caption: "A limit: everything is answered with 429." },
          { at: 20, do: "create", kind: "event", count: 3 },
          { at: 80, do: "fault", fault: "rateLimit", on: false },
        ],
        // The transitions, as simulate prints them; --check compares.
        expected: [\(lines)
        ],
      }

      """
  }
}
