// swift-tools-version: 6.1
import PackageDescription

// The map. One line per target, grouped from leaf to app; an arrow that is not here does not exist.
// `make build` checks the imports against it.

let swift: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// Modules that the tests run most, optimized in builds of the tests.
///
/// The Makefile sets the variable. A package that depends on this one must not see unsafe flags.
let optimized: Set<String> =
  Context.environment["OPTIMIZE_SUBJECTS"] == nil
  ? []
  : [
    "Platform", "Codecs", "MisterMetricsCore", "Aggregation", "QueryLanguage", "JSONLines", "History",
    "TerminalUI", "Sync", "TestSupport",
  ]

func settings(_ name: String) -> [SwiftSetting] {
  optimized.contains(name)
    ? swift + [.unsafeFlags(["-Osize", "-wmo", "-num-threads", "2", "-disable-batch-mode"])] : swift
}

/// Modules with a privacy manifest, which goes into apps as a resource.
///
/// On other hosts a resource would add code to the program.
let privacyManifests: Set<String> = ["Platform", "MisterMetrics", "DeliveryCore"]
#if os(macOS)
  let hasResources = true
#else
  let hasResources = false
#endif

func source(
  _ name: String, _ dependencies: [Target.Dependency] = [], linking: [LinkerSetting] = []
) -> Target {
  let manifest = privacyManifests.contains(name) ? ["PrivacyInfo.xcprivacy"] : []
  return .target(
    name: name,
    dependencies: (name == "Essentials" ? [] : ["Essentials"]) + dependencies,
    exclude: hasResources ? [] : manifest,
    resources: hasResources ? manifest.map { .process($0) } : [],
    swiftSettings: settings(name),
    // A module that imports neither Foundation nor Glibc still rounds and takes roots.
    linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))] + linking)
}

let ncurses: [LinkerSetting] = [
  .linkedLibrary("ncursesw", .when(platforms: [.linux])),
  .linkedLibrary("ncurses", .when(platforms: [.macOS])),
]

/// What lies beside tests and is read by its path.
let dataOfTests = [
  "Dashboard": ["Snapshots", "Histogram/Figures"], "TerminalUI": ["Snapshots"],
  "Sync": ["Sessions/ThreeLimits.json5"], "QueryLanguage": ["Naive"],
  "Delivery": ["Sessions/KilledOutage.json5"],
  "Reliability": ["rows.tsv", "allowed-skips", "controls"],
]

/// C whose calls that write into memory check its size, where the compiler knows it.
func c(_ name: String) -> Target {
  .target(name: name, cSettings: [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))])
}

/// Facts of a release build, which the Makefile passes in variables.
let build = ["COMMIT", "COMMIT_DATE", "SWIFT_VERSION"]

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: dependencies + (name == "Platform" ? [] : ["Platform"]) + ["TestSupport"],
    exclude: dataOfTests[name] ?? [],
    swiftSettings: swift)
}

let package = Package(
  name: "mistertop",
  platforms: [.iOS(.v17), .macOS(.v13)],
  products: [
    .library(name: "MisterMetrics", targets: ["MisterMetrics"]),
    .library(name: "Telemetry", targets: ["Telemetry"]),
    .library(name: "Sync", targets: ["Sync"]),
    .library(name: "SyncSimulation", targets: ["SyncSimulation"]),
    .library(name: "Delivery", targets: ["Delivery"]),
    .library(name: "DeliverySimulation", targets: ["DeliverySimulation"]),
    .library(name: "MetaRouter", targets: ["MetaRouter"]),
    .executable(name: "mistertop", targets: ["mistertop"]),
  ],
  targets: [
    // Ground floor
    source("Essentials"),
    .systemLibrary(name: "CAttributes", path: "Sources/CAttributes"),
    source("Platform", ["CAttributes"]),
    source("Codecs", ["Platform"]),
    // Leaves
    source("MisterMetricsCore", ["Platform", "Codecs"]),
    // What apps import: the core, and the store that needs all of Foundation, which the program does not link.
    source("MisterMetrics", ["MisterMetricsCore", "Platform", "Codecs"]),
    source("Aggregation"),
    source("QueryLanguage", ["Codecs"]),
    .systemLibrary(name: "CZlib", path: "Sources/CZlib"),
    source("JSONLines", ["Platform", "Codecs", "CZlib"], linking: [.linkedLibrary("z")]),
    source("History", ["Platform", "Aggregation", "JSONLines", "Codecs"]),
    .systemLibrary(name: "CWidth", path: "Sources/CWidth"),
    source("TerminalUI", ["CWidth"]),
    .systemLibrary(name: "CNcurses", path: "Sources/CNcurses"),
    // In C, because only async-signal-safe code may run in a signal handler, and Swift promises none.
    c("CTerminalGuard"),
    // In C, because it runs before the Swift runtime is there.
    c("CQuietStart"),
    // In C, because the Swift overlay of glibc leaves the header of these functions out.
    c("CHeap"),
    // In C, because only a definition of the compiler's command line brings in the commit without a file that changes.
    .target(
      name: "CBuild",
      cSettings: build.map { .define($0, to: Context.environment["MISTERTOP_\($0)"] ?? "unknown") }),
    .target(name: "CScenarios", path: "Resources", exclude: ["scenarios"]),
    source("Scenarios", ["CScenarios"]),
    // Engines
    source("Resilience"),
    source("TelemetryCore", ["Platform", "Codecs", "MisterMetricsCore", "Aggregation"]),
    // What apps import: the core, and measurements, whose types the program does not link.
    source("Telemetry", ["TelemetryCore"]),
    .systemLibrary(name: "CSQLite", path: "Sources/CSQLite"),
    source("Sync", ["Platform", "Codecs", "Resilience", "TelemetryCore", "MisterMetricsCore", "CSQLite"]),
    // In C, because it loads libcurl when it is needed; Swift cannot call functions with any number of arguments.
    c("CCurl"),
    source("HTTPClient", ["Platform", "Codecs", "CZlib", "CCurl"], linking: [.linkedLibrary("z")]),
    source(
      "DeliveryCore",
      ["Platform", "Codecs", "Resilience", "TelemetryCore", "MisterMetricsCore", "HTTPClient"]),
    // Many hosts: their files are shipped to a column store.
    source(
      "ClickHouse",
      [
        "Platform", "Codecs", "JSONLines", "Resilience", "HTTPClient", "History", "Aggregation",
        "MisterMetricsCore",
      ]),
    // What apps import: the core, and properties of the types that need all of Foundation.
    source("Delivery", ["DeliveryCore"]),
    source("MetaRouter", ["Delivery"]),
    // The names of functions in call stacks, for the program only.
    .systemLibrary(name: "CDemangle", path: "Sources/CDemangle"),
    source("Symbolication", ["Platform", "Codecs", "JSONLines", "TelemetryCore", "CDemangle"]),
    // Laboratories: no library that an app links knows them. The worlds serve the tests of apps too.
    source("SimulationKit", ["Codecs", "Aggregation", "MisterMetricsCore"]),
    source(
      "SyncSimulation",
      ["SimulationKit", "Platform", "Codecs", "Resilience", "TelemetryCore", "MisterMetricsCore", "Sync"]),
    source(
      "DeliverySimulation",
      [
        "SimulationKit", "Platform", "Codecs", "Resilience", "TelemetryCore", "MisterMetricsCore",
        "DeliveryCore",
      ]),
    // Edge
    .target(
      name: "TerminalNcurses",
      dependencies: ["Essentials", "TerminalUI", "CNcurses", "CTerminalGuard"],
      swiftSettings: swift, linkerSettings: ncurses),
    // App. One target for each screen, so that the compiler keeps them apart and a changed line rebuilds one.
    source(
      "DashboardCore",
      [
        "Platform", "MisterMetricsCore", "Aggregation", "JSONLines", "History", "TelemetryCore", "Sync",
        "SyncSimulation", "DeliveryCore", "DeliverySimulation", "TerminalUI", "Codecs", "QueryLanguage",
        "CHeap",
      ]),
    source("LiveScreen", ["DashboardCore", "Aggregation", "Codecs", "Platform", "TerminalUI"]),
    source("HistoryScreen", ["DashboardCore", "Aggregation", "Codecs", "History", "Platform", "TerminalUI"]),
    source(
      "HostsScreen",
      ["DashboardCore", "Aggregation", "Codecs", "History", "Platform", "QueryLanguage", "TerminalUI"]),
    source(
      "HistogramScreen",
      [
        "DashboardCore", "Aggregation", "Codecs", "History", "Platform", "QueryLanguage", "TelemetryCore",
        "TerminalUI",
      ]),
    source(
      "PayloadsScreen",
      [
        "DashboardCore", "Aggregation", "Codecs", "History", "Platform", "QueryLanguage", "TelemetryCore",
        "TerminalUI",
      ]),
    source(
      "EngineScreens",
      [
        "DashboardCore", "Aggregation", "Codecs", "JSONLines", "MisterMetricsCore", "Platform",
        "QueryLanguage", "Resilience", "TelemetryCore", "TerminalUI", "SimulationKit", "Sync",
        "SyncSimulation", "DeliveryCore", "DeliverySimulation",
      ]),
    source(
      "Dashboard",
      [
        "DashboardCore", "LiveScreen", "HistoryScreen", "HistogramScreen", "PayloadsScreen", "EngineScreens",
        "HostsScreen", "Codecs", "Platform", "TerminalUI",
      ]),
    source(
      "Commands",
      [
        "Platform", "MisterMetricsCore", "Aggregation", "JSONLines", "History", "TerminalUI",
        "TelemetryCore", "DashboardCore", "HistogramScreen", "EngineScreens", "PayloadsScreen",
        "Dashboard", "Sync", "SyncSimulation", "DeliveryCore", "Codecs", "QueryLanguage",
        "Scenarios", "CHeap", "SimulationKit", "DeliverySimulation", "Symbolication", "ClickHouse",
        "CBuild", "CSQLite", "CZlib", "HTTPClient",
      ]),
    .executableTarget(
      name: "mistertop",
      dependencies: ["Essentials", "Commands", "TerminalUI", "TerminalNcurses", "CQuietStart"],
      swiftSettings: swift),
    // Tests
    .target(
      name: "TestSupport", dependencies: ["Platform", "TerminalUI", "JSONLines"], path: "Tests/TestSupport",
      exclude: ["Screens", "Delivery"], swiftSettings: settings("TestSupport")),
    // Disk queues beside a model, and damaged. Apart, so that not every helper links the delivery.
    .target(
      name: "TestDelivery", dependencies: ["DeliveryCore", "Platform", "TestSupport"],
      path: "Tests/TestSupport/Delivery", swiftSettings: swift),
    // A screen beside those of the list. Apart, so that not every helper links the dashboard.
    .target(
      name: "TestScreens", dependencies: ["DashboardCore", "TerminalUI"], path: "Tests/TestSupport/Screens",
      swiftSettings: swift),
    .executableTarget(
      name: "metric-writer", dependencies: ["Platform", "MisterMetrics", "MisterMetricsCore", "TestSupport"],
      path: "Tests/Helpers/metric-writer",
      swiftSettings: swift),
    // The example of docs/library.md; a test runs it.
    .executableTarget(
      name: "sync-notes", dependencies: ["Sync", "MisterMetrics"], path: "Tests/Examples/sync-notes",
      swiftSettings: swift),
    // The calls of the original client's documentation, as programs of Swift 5 write them; a test runs it.
    .executableTarget(
      name: "analytics-snippets", dependencies: ["MetaRouter"], path: "Tests/Examples/analytics-snippets",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // What `make` links before anything else, with the libraries of the program.
    .executableTarget(
      name: "link-probe",
      dependencies: ["Essentials", "CCurl", "CNcurses", "CQuietStart", "CSQLite", "CZlib"],
      path: "Tests/Helpers/link-probe", swiftSettings: swift, linkerSettings: ncurses + [.linkedLibrary("z")]),
    // The tool of Tests/Scripts/update-diagrams; tests hold the documents against it.
    .executableTarget(
      name: "diagrams",
      dependencies: [
        "DeliveryCore", "MisterMetricsCore", "Resilience", "SimulationKit", "Sync", "SyncSimulation",
        "TelemetryCore",
      ],
      path: "Tests/Helpers/diagrams", exclude: ["scenarios"], swiftSettings: swift),
    .executableTarget(
      name: "sync-worker", dependencies: ["Sync", "TestSupport"], path: "Tests/Helpers/sync-worker",
      swiftSettings: swift),
    .executableTarget(
      name: "delivery-worker", dependencies: ["DeliveryCore", "Platform", "TestSupport", "TestDelivery"],
      path: "Tests/Helpers/delivery-worker", swiftSettings: swift),
    .executableTarget(
      name: "delivery-soak", dependencies: ["Platform", "DeliveryCore", "MisterMetricsCore"],
      path: "Tests/Helpers/delivery-soak", swiftSettings: swift),
    .target(name: "BenchSupport", path: "Tests/Benchmarks/Support", swiftSettings: swift),
    .executableTarget(
      name: "delivery-bench", dependencies: ["BenchSupport", "Platform", "DeliveryCore"],
      path: "Tests/Benchmarks/Delivery",
      swiftSettings: swift),
    .executableTarget(
      name: "sync-bench", dependencies: ["BenchSupport", "Sync"], path: "Tests/Benchmarks/Sync",
      swiftSettings: swift),
    .executableTarget(
      name: "record-bench", dependencies: ["BenchSupport", "MisterMetricsCore"],
      path: "Tests/Benchmarks/Record",
      swiftSettings: swift),
    .executableTarget(
      name: "signpost-bench", dependencies: ["BenchSupport", "Telemetry", "MisterMetricsCore"],
      path: "Tests/Benchmarks/Signposts",
      swiftSettings: swift),
    .executableTarget(
      name: "payload-files", dependencies: ["Telemetry", "TestSupport"], path: "Tests/Benchmarks/Payloads",
      swiftSettings: swift),
    .executableTarget(
      name: "metrics-generator", dependencies: ["TestSupport"], path: "Tests/Benchmarks/Generator",
      swiftSettings: swift),
    .executableTarget(
      name: "frame-bench",
      dependencies: [
        "BenchSupport", "Platform", "DashboardCore",
        "Dashboard", "Codecs", "Aggregation", "TerminalUI", "TestSupport",
      ],
      path: "Tests/Benchmarks/Frame", swiftSettings: swift),
    .executableTarget(
      name: "screen-bench",
      dependencies: [
        "BenchSupport", "Platform", "DashboardCore", "EngineScreens", "Dashboard", "Codecs", "JSONLines",
        "MisterMetricsCore", "Sync", "SyncSimulation", "DeliveryCore", "DeliverySimulation", "TerminalUI",
        "TestSupport",
      ],
      path: "Tests/Benchmarks/Screens", swiftSettings: swift),
    .executableTarget(
      name: "history-bench",
      dependencies: [
        "BenchSupport", "Platform", "History", "Aggregation", "JSONLines", "MisterMetricsCore", "TestSupport",
      ],
      path: "Tests/Benchmarks/History", swiftSettings: swift),
    .executableTarget(
      name: "histogram-bench",
      dependencies: [
        "BenchSupport", "Platform", "DashboardCore", "HistogramScreen",
        "Dashboard", "Codecs", "History", "Aggregation", "JSONLines", "TerminalUI", "TestSupport",
      ],
      path: "Tests/Benchmarks/Histogram", swiftSettings: swift),
    tests("Platform", ["Platform"]),
    tests("Codecs", ["Codecs"]),
    tests("QueryLanguage", ["QueryLanguage", "Codecs"]),
    tests("MisterMetrics", ["MisterMetrics", "MisterMetricsCore", "metric-writer"]),
    tests("Aggregation", ["Aggregation"]),
    tests("JSONLines", ["JSONLines", "Codecs", "Aggregation"]),
    tests("History", ["History", "MisterMetricsCore", "JSONLines", "Aggregation", "Codecs", "CZlib"]),
    tests("Resilience", ["Resilience"]),
    tests("SimulationKit", ["SimulationKit"]),
    tests("Telemetry", ["Telemetry", "TelemetryCore", "MisterMetricsCore", "Codecs", "FuzzChecks"]),
    tests("Symbolication", ["Symbolication", "TelemetryCore", "JSONLines"]),
    tests(
      "ClickHouse",
      ["ClickHouse", "JSONLines", "HTTPClient", "History", "Aggregation", "MisterMetricsCore", "FuzzChecks"]),
    tests(
      "Sync",
      [
        "Sync", "SyncSimulation", "sync-notes", "Scenarios", "Resilience", "TelemetryCore",
        "MisterMetricsCore",
        "Codecs", "CSQLite", "SimulationKit",
      ]),
    tests(
      "Delivery",
      [
        "analytics-snippets", "delivery-soak", "Delivery", "DeliveryCore", "HTTPClient", "MisterMetricsCore",
        "Codecs",
        "Resilience",
        "JSONLines", "TelemetryCore",
        "TestDelivery", "Scenarios", "SimulationKit", "DeliverySimulation",
      ]),
    tests("TerminalUI", ["TerminalUI"]),
    .executableTarget(
      name: "terminal-probe", dependencies: ["TerminalUI", "TerminalNcurses", "CQuietStart"],
      path: "Tests/Helpers/terminal-probe", swiftSettings: swift),
    tests("TerminalNcurses", ["TerminalUI", "TerminalNcurses", "CNcurses", "terminal-probe"]),
    tests(
      "Dashboard",
      [
        "DashboardCore", "LiveScreen", "HistoryScreen", "HistogramScreen", "PayloadsScreen", "EngineScreens",
        "HostsScreen", "Dashboard", "Telemetry", "Aggregation", "JSONLines", "History", "TerminalUI",
        "MisterMetricsCore", "Sync", "SyncSimulation", "DeliveryCore", "Codecs", "Scenarios", "TestScreens",
        "SimulationKit", "DeliverySimulation",
      ]),
    tests(
      "Commands",
      [
        "Commands", "diagrams", "DashboardCore", "HistoryScreen", "HistogramScreen", "PayloadsScreen",
        "Dashboard", "MisterMetricsCore", "Aggregation", "JSONLines", "History", "TelemetryCore",
        "Sync",
        "SyncSimulation", "Resilience", "DeliveryCore", "Scenarios", "SimulationKit", "DeliverySimulation",
        "Symbolication", "HTTPClient", "ClickHouse",
      ]),
    tests(
      "EndToEnd",
      ["MisterMetricsCore", "Sync", "SyncSimulation", "DeliveryCore", "mistertop", "DeliverySimulation"]),
    // What `make fuzz` puts every input through; the tests put the kept corpus through it.
    .target(
      name: "FuzzChecks",
      dependencies: [
        "Platform", "MisterMetricsCore", "JSONLines", "History", "TerminalUI", "Commands", "Sync",
        "SyncSimulation", "TelemetryCore", "Codecs", "DashboardCore", "Dashboard", "DeliveryCore",
        "QueryLanguage", "HTTPClient", "ClickHouse", "Symbolication",
        "Aggregation",
        "Scenarios", "SimulationKit", "DeliverySimulation",
      ],
      path: "Tests/Fuzz/Checks", swiftSettings: swift),
    tests(
      "Reliability",
      [
        "FuzzChecks", "TestDelivery", "DeliveryCore", "Codecs",
        "MisterMetricsCore", "Aggregation", "JSONLines", "TerminalUI", "TerminalNcurses", "DashboardCore",
        "LiveScreen", "HistoryScreen", "HistogramScreen", "EngineScreens", "Dashboard",
        "Commands",
        "Sync", "SyncSimulation", "mistertop", "metric-writer", "sync-worker", "delivery-worker",
        "terminal-probe",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
