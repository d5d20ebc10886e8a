import Commands
import Foundation
import MisterMetricsCore
import Platform
import Symbolication
import TelemetryCore
import TestSupport

/// A folder with a symbolizer of a few lines, symbols for it, and payloads that need them.
struct SymbolFixture {
  static let uuid = "01020304-0506-0708-090A-0B0C0D0E0F10"
  static let other = "FFFFFFFF-0506-0708-090A-0B0C0D0E0F10"

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try write(Self.machO, to: "symbols/App.dSYM/Contents/Resources/DWARF/App")
  }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    let url = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// The smallest file with symbols: `__TEXT` at 0x4000, and the UUID.
  private static var machO: [UInt8] {
    func little(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (UInt64($0) * 8)) }
    }
    func segment(_ name: String) -> [UInt8] {
      little(0x19, 4) + little(72, 4) + Array(name.utf8) + Array(repeating: 0, count: 16 - name.utf8.count)
        + little(0x4000, 8) + Array(repeating: 0, count: 40)
    }
    let commands = little(0x1B, 4) + little(24, 4) + Array(1...16) + segment("__TEXT") + segment("__DWARF")
    return little(0xFEED_FACF, 4) + little(0x0100_000C, 4) + little(0, 4) + little(10, 4) + little(3, 4)
      + little(UInt64(commands.count), 4) + little(0, 8) + commands
  }

  /// A program that answers each question with a name made of the address.
  func symbolizer(_ body: String? = nil) throws -> String {
    let usual = """
      while read -r line; do
        address=${line##* }
        echo '{"Symbol":[{"FileName":"/src/Cart.swift","FunctionName":"f'$address'","Line":12}]}'
      done
      """
    try write("#!/bin/sh\n\(body ?? usual)\n".utf8, to: "llvm-symbolizer")
    let path = folder.path("llvm-symbolizer")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  func options(_ symbolizer: String?) -> SymbolOptions {
    var options = SymbolOptions()
    options.folders = [folder.path("symbols")]
    options.symbolizer = symbolizer
    options.cacheFolder = folder.path("cache/mistertop/history")
    try? FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("cache/mistertop"), withIntermediateDirectories: true)
    return options
  }

  /// A payload with a crash of three frames: two of the app, one of the system.
  static func crash(day: Int = 29) -> String {
    func frame(_ name: String, _ uuid: String, _ offset: Int, _ below: String = "") -> String {
      #"{"binaryName":"\#(name)","binaryUUID":"\#(uuid)","address":\#(4_294_967_296 + offset),"#
        + #""offsetIntoBinaryTextSegment":\#(offset)\#(below.isEmpty ? "" : #","subFrames":[\#(below)]"#)}"#
    }
    let frames = frame("App", uuid, 0x10, frame("App", uuid, 0x21, frame("UIKitCore", other, 0x30)))
    return """
      {"timeStampBegin":"2025-03-\(day) 08:00:00 +0000","timeStampEnd":"2025-03-\(day) 08:00:00 +0000",
      "crashDiagnostics":[{"version":"1.0.0","diagnosticMetaData":{"appVersion":"9.0","signal":11,"exceptionType":1,
      "bundleIdentifier":"com.example.shop","appBuildVersion":"77","osVersion":"iPhone OS 16.0.2 (20A380)","pid":123},
      "callStackTree":{"callStackPerThread":true,"callStacks":[{"threadAttributed":true,"callStackRootFrames":[\(frames)]}]}}]}
      """
  }
}
