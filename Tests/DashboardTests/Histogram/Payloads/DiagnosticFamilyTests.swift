import Aggregation
import Foundation
import History
import TelemetryCore
import Testing

@testable import DashboardCore
@testable import PayloadsScreen

@Suite("Families of diagnostics")
struct DiagnosticFamilyTests {
  typealias Frame = RecordedCallStacks.Frame

  /// A diagnostic from its recorded JSON.
  private func diagnostic(
    reason: String = "EXC_BAD_ACCESS, SIGSEGV", termination: String = "", exception: String = "",
    _ frames: [Frame], binaries: [String] = ["Shop", "UIKitCore", "libz"]
  ) throws -> PayloadDiagnostic {
    let stacks = RecordedCallStacks(
      binaries: binaries.map { .init(name: $0, uuid: "uuid-\($0)") }, frames: frames)
    let fields: [String: Any] = [
      "appVersion": "2.0", "begin": "", "end": "", "simulated": false, "os": "", "device": "", "unit": "",
      "reason": reason, "termination": termination, "exception": exception, "source": "a#0",
      "callStacks": try JSONSerialization.jsonObject(with: JSONEncoder().encode(stacks)),
    ]
    return try #require(PayloadDiagnostic(json: Array(JSONSerialization.data(withJSONObject: fields))))
  }

  private func chain(_ binaries: [Int?], shift: UInt64 = 0, functions: [String?] = []) -> [Frame] {
    binaries.enumerated().map { depth, binary in
      Frame(
        address: 1, binary: binary, depth: depth, offset: UInt64(depth) * 64 + shift, samples: nil,
        symbols: functions.indices.contains(depth)
          ? functions[depth].map { [.init(function: $0, file: "")] } : nil)
    }
  }

  @Test(
    "a family is named by its signal, its termination code, its exception and its first frames",
    arguments: [
      ("EXC_BAD_ACCESS, SIGSEGV", "Namespace SIGNAL, Code 11", "", "SIGSEGV in Shop x2 < UIKitCore"),
      (
        "EXC_CRASH, SIGKILL", "<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene 17>", "",
        "SIGKILL, 0x8badf00d in Shop x2 < UIKitCore"
      ),
      (
        "EXC_CRASH, SIGABRT", "", "NSRangeException: index 5 beyond bounds [0 .. 4]",
        "SIGABRT, NSRangeException in Shop x2 < UIKitCore"
      ),
      ("EXC_BREAKPOINT", "Namespace JETSAM, Code 7", "", "EXC_BREAKPOINT, JETSAM 7 in Shop x2 < UIKitCore"),
      ("", "", "", "Shop x2 < UIKitCore"),
    ])
  func words(_ reason: String, _ termination: String, _ exception: String, _ words: String) throws {
    let read = try diagnostic(
      reason: reason, termination: termination, exception: exception, chain([0, 0, 1]))
    #expect(FamilySignature(read, of: "crashDiagnostics").words == words)
  }

  @Test(
    "offsets that move with a build change the place, not the family; functions are told where they are known"
  )
  func offsets() throws {
    let (old, new) = (try diagnostic(chain([0, 1])), try diagnostic(chain([0, 1], shift: 4096)))
    let kind = "crashDiagnostics.callStackTree"
    #expect(FamilySignature(old, of: kind) == FamilySignature(new, of: kind))
    let places = [old, new].map { FamilySignature.exact($0.callStacks, isCrash: true)?.words }
    #expect(places == ["Shop +0x0", "Shop +0x1000"])
    let named = FamilySignature(
      try diagnostic(chain([0, 1], functions: ["Cart.pay()"])), of: kind)
    #expect(named.words == "SIGSEGV in Cart.pay() < UIKitCore" && named.isByFunction)
    #expect(named != FamilySignature(old, of: kind) && !FamilySignature(old, of: kind).isByFunction)
  }

  @Test("only the first five frames of the first stack count, and a missing program is a question mark")
  func limits() throws {
    let deep = try diagnostic(chain([0, 1, 1, nil, 2, 0, 0, 0]))
    #expect(
      FamilySignature(deep, of: "crashDiagnostics").words == "SIGSEGV in Shop < UIKitCore x2 < ? < libz")
    let two = try diagnostic(chain([0, 1]) + chain([2, 2]))
    #expect(FamilySignature(two, of: "crashDiagnostics").words == "SIGSEGV in Shop < UIKitCore")
    let none = try diagnostic(reason: "", [])
    #expect(FamilySignature(none, of: "crashDiagnostics").words == "no reason, no call stack")
  }

  @Test("samples are told by the end of their heaviest path")
  func heaviest() throws {
    func frame(_ binary: Int, _ depth: Int, _ samples: Int) -> Frame {
      Frame(address: 1, binary: binary, depth: depth, offset: 1, samples: samples)
    }
    let read = try diagnostic(
      reason: "",
      [
        frame(1, 0, 5), frame(0, 0, 40), frame(1, 1, 10), frame(1, 2, 10), frame(0, 1, 30),
        frame(2, 2, 28), frame(1, 3, 9), frame(1, 3, 8),
      ])
    #expect(FamilySignature(read, of: "hangDiagnostics").words == "libz < Shop x2")
    let hostile = try diagnostic(
      reason: "", [frame(0, 0, .min), frame(1, 7, .max), frame(2, .max, 3), frame(1, 1, .max)])
    #expect(!FamilySignature(hostile, of: "cpuExceptionDiagnostics").words.isEmpty)
  }

  // MARK: Rates

  private func rate(a: Int, b: Int, days: Int, owners: Int? = nil) -> DiagnosticRate {
    let sources = { (side: String, count: Int) in (0..<count).map { "\(side)\($0 % (owners ?? count))" } }
    let exposure = DiagnosticExposure(days: days, hours: Double(days) / 2)
    return DiagnosticRate(a: sources("a", a), b: sources("b", b), (exposure, exposure), isCompared: true)
  }

  @Test("a rate has bounds, wider where one user had many of them")
  func bounds() throws {
    let found = rate(a: 30, b: 0, days: 170)
    let days = try #require(found.a.perThousandDays)
    #expect(days.words == "176 (119 to 252)" && found.a.perThousandHours?.words == "353 (238 to 504)")
    #expect(found.isNew && found.isReal && found.change == nil)
    #expect(found.b?.perThousandDays?.words == "0 (0 to 22)")
    let ofFew = rate(a: 30, b: 0, days: 170, owners: 3)
    #expect(ofFew.a.perThousandDays?.words == "176 (35 to 516)" && !ofFew.isReal)
  }

  @Test("few are not more than chance, few days tell nothing, and those that stopped are gone")
  func verdicts() {
    #expect(rate(a: 5, b: 0, days: 170).verdict?.finding == .noDifference)
    #expect(rate(a: 30, b: 0, days: 3).verdict?.finding == .tooFew)
    #expect(rate(a: 0, b: 30, days: 170).isGone && rate(a: 0, b: 30, days: 170).isReal)
    #expect(rate(a: 20, b: 20, days: 170).verdict?.finding == .noDifference)
    #expect(
      rate(a: 30, b: 10, days: 170).changeWords
        == "+200%: 176 (119 to 252) against 59 (28 to 108) per 1,000 device-days")
  }
}
