import DeliverySimulation
import Essentials
import SimulationKit
import SyncSimulation

/// A scenario to start from: every part that a file can have, with its meaning.
enum ScenarioTemplate {
  /// The text of a file with a given name, and the decisions of the current engine.
  ///
  /// - Throws: Any error of reading and playing the scenario.
  static func text<World: HostedWorld>(name: String, of world: World.Type) throws -> String {
    let scenario = try DrivenScenario<World>(reading: Data(text(name, World.template, expected: []).utf8))
    return text(name, World.template, expected: try scenario.course())
  }

  private static func text(_ name: String, _ parts: String, expected: [String]) -> String {
    let lines = expected.map { "\n    \(JSON5Text.quoted($0))," }.joined()
    return parts.replacing("NAME", with: JSON5Text.quoted(name), maxReplacements: 1) + """

        // The decisions, as simulate prints them; --check compares.
        expected: [\(lines)
        ],
      }

      """
  }
}

extension SyncWorld {
  static let template = """
    // A scenario of the sync engine. docs/scenarios.md has everything that a file can say.
    //
    //   mistertop simulate FILE                          what the engine decides
    //   mistertop simulate FILE --check                  whether that is what 'expected' lists
    //   mistertop simulate FILE --what-if 'without 429'  the same with one thing different
    //   mistertop demo --scenario FILE                   on the screen
    {
      name: NAME,
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
    """
}

extension DeliveryWorld {
  static let template = """
    // A scenario of the delivery client. docs/delivery.md has everything that a file can say.
    //
    //   mistertop simulate FILE                          what the client decides
    //   mistertop simulate FILE --check                  whether that is what 'expected' lists
    //   mistertop simulate FILE --what-if 'without server error'  one thing different
    //   mistertop demo --scenario FILE                   on the screen
    {
      engine: "delivery",
      name: NAME,
      title: "An outage on a Sunday",
      story: "Songs are played while the endpoint answers 503 for a minute.",
      // All chance comes from here: the same seed gives the same course.
      seed: 1,
      start: "2026-11-22T09:00:00Z",
      // In seconds. Nothing happens behind the end.
      duration: 180,
      // Constants of the client that are not the usual ones.
      options: { flushIntervalSeconds: 20 },
      acts: [
        // The app makes events: identify, screen, track and others, some of a sort at once with count.
        { at: 1, do: "identify", name: "u1" },
        { at: 5, do: "track", name: "Song Played", count: 3 },
        // For batches from memory, from disk, or all; each with this likelihood.
        { at: 10, do: "fault", fault: "serverError", amount: 503, scope: "all", probability: 1 },
        { at: 30, do: "track", count: 2 },
        { at: 70, do: "fault", fault: "serverError", on: false },
        // The app goes to the background, which sends what waits.
        { at: 120, do: "track" },
        { at: 121, do: "background" },
      ],
    """
}
