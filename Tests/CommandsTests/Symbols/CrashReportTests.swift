import Codecs
import Foundation
import Platform
import TelemetryCore
import TestSupport
import Testing

@testable import Commands

@Suite("export --format ips")
struct CrashReportTests {
  private let fixture: SymbolFixture
  private let importing: ImportFixture

  init() throws {
    (fixture, importing) = (try SymbolFixture(), try ImportFixture())
  }

  private func export(
    output: String?, replaces: Bool = false, symbols: SymbolOptions = SymbolOptions()
  ) -> (text: String, errors: [String], code: ExitCode) {
    var request = ExportCommand.Request(paths: [importing.store])
    (request.isOfCrashes, request.output, request.replaces, request.symbols) = (
      true, output, replaces, symbols
    )
    let (out, err) = (Recorder<String>(), Recorder<String>())
    let console = Console(write: { out.append($0) }, writeError: { err.append($0) })
    let code = ExportCommand(request, console: console, temporaryFolder: fixture.folder.url.path).run()
    let prefix = importing.folder.url.path + "/"
    return (out.all.joined(), err.all.map { $0.replacingOccurrences(of: prefix, with: "") }, code)
  }

  private func fields(_ json: JSONValue?, _ path: String...) -> JSONValue? {
    path.reduce(json) { json, key in
      Int(key).flatMap { index in json?.elements.flatMap { $0.indices.contains(index) ? $0[index] : nil } }
        ?? json?.fields?[key]
    }
  }

  @Test(
    "each crash is a file of two lines: the facts of the incident, and the report with functions and lines")
  func files() async throws {
    try importing.write(SymbolFixture.crash(day: 28), to: "in/a.json")
    try importing.write(SymbolFixture.crash(day: 29), to: "in/b.json")
    try importing.write(ImportFixture.metrics(), to: "in/c.json")
    #expect(await importing.run("in") == .success)
    let folder = importing.folder.path("reports")
    let symbols = try fixture.options(fixture.symbolizer())
    let first = export(output: folder, symbols: symbols)
    #expect(first.errors == ["mistertop export: 2 crash reports in reports"])
    #expect(first.code == .success)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names.count == 2)
    #expect(names.allSatisfy { $0.wholeMatch(of: /shop-2025-03-2[89]-08-00-00-[0-9a-f]{8}-1\.ips/) != nil })
    let lines = try String(contentsOfFile: folder + "/" + names[0], encoding: .utf8).split(separator: "\n")
    try #require(lines.count == 2)
    let header = try JSONValue(Array(lines[0].utf8))
    #expect(fields(header, "bug_type") == .string("309"))
    #expect(fields(header, "timestamp") == .string("2025-03-28 08:00:00.00 +0000"))
    #expect(fields(header, "bundleID") == .string("com.example.shop"))
    #expect(fields(header, "app_version") == .string("9.0"))
    let body = try JSONValue(Array(lines[1].utf8))
    #expect(fields(body, "exception", "type") == .string("EXC_BAD_ACCESS"))
    #expect(fields(body, "exception", "signal") == .string("SIGSEGV"))
    #expect(fields(body, "osVersion", "train") == .string("iPhone OS 16.0.2"))
    #expect(fields(body, "incident") == fields(header, "incident_id"))
    #expect(fields(body, "threads", "0", "triggered") == .bool(true))
    let frames = fields(body, "threads", "0", "frames")
    #expect(fields(frames, "1", "symbol") == .string("f0x4020"))
    #expect(fields(frames, "1", "sourceLine") == .integer(12))
    #expect(fields(frames, "1", "imageOffset") == .integer(0x21))
    #expect(fields(frames, "2", "symbol") == nil)
    #expect(fields(frames, "2", "imageIndex") == .integer(1))
    #expect(fields(body, "usedImages", "0", "base") == .integer(0x1_0000_0000))
    #expect(fields(body, "usedImages", "0", "uuid") == .string(SymbolFixture.uuid.lowercased()))

    // Nothing is replaced unless that is asked for.
    let second = export(output: folder)
    #expect(second.code == .failed)
    #expect(second.errors.first?.hasSuffix("already exists; --force replaces it") == true)
    #expect(export(output: folder, replaces: true).code == .success)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
  }

  @Test("without a folder the reports are written one after the other, and a store without crashes is told")
  func standardOutput() async throws {
    try importing.write(ImportFixture.metrics(), to: "in/a.json")
    #expect(await importing.run("in") == .success)
    let none = export(output: nil)
    #expect(none.code == .failed)
    #expect(none.errors.count == 1)
    try importing.write(ImportFixture.crash, to: "in/b.json")
    #expect(await importing.run("in") == .success)
    let one = export(output: nil)
    #expect(one.code == .success)
    #expect(one.text.split(separator: "\n").count == 2)
  }

  @Test("a crash whose payload was recorded in pieces has its report")
  func pieces() async throws {
    let long = "{\"note\":\"\(String(repeating: "n", count: 5_000_000))\"," + ImportFixture.crash.dropFirst()
    try importing.write(long, to: "in/a.json")
    #expect(await importing.run("in") == .success)
    let report = export(output: nil)
    #expect(report.code == .success && report.text.split(separator: "\n").count == 2)
  }

  @Test("a name of a program is no path, and no control character reaches the name of a file")
  func names() throws {
    var crash = CrashDiagnostic(CrashDetails())
    crash.metaData.bundleIdentifier = "com.example.../../\u{1B}[31mé"
    let hash = try #require(PayloadHash(String(repeating: "a", count: 32)))
    let report = CrashReport(crash, time: nil, hash: hash, number: 1, symbols: nil)
    #expect(report.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
    #expect(report.name.hasSuffix("-aaaaaaaa-1.ips"))
  }
}
