// swift-tools-version: 6.1
import PackageDescription

// The declarations of swift-metrics that a backend needs, for machines that cannot fetch it.
let package = Package(
  name: "swift-metrics",
  products: [.library(name: "CoreMetrics", targets: ["CoreMetrics"])],
  targets: [.target(name: "CoreMetrics")])
