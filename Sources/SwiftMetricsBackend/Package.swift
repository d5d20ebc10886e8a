// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that the libraries beside it depend on nothing.

/// A folder with swift-metrics, or with its declarations, instead of the repository.
let checkout = Context.environment["SWIFT_METRICS"]

let package = Package(
  name: "SwiftMetricsBackend",
  platforms: [.iOS(.v17), .macOS(.v13)],
  products: [.library(name: "SwiftMetricsBackend", targets: ["SwiftMetricsBackend"])],
  dependencies: [
    .package(name: "mistertop", path: "../.."),
    checkout.map { .package(path: $0) }
      ?? .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
  ],
  targets: [
    .target(
      name: "SwiftMetricsBackend",
      dependencies: [
        .product(name: "MisterMetrics", package: "mistertop"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
      ],
      path: "Sources"),
    .testTarget(name: "SwiftMetricsBackendTests", dependencies: ["SwiftMetricsBackend"], path: "Tests"),
  ]
)
