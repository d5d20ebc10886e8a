import Foundation
import FuzzChecks

/// The check that every input goes through, as `FUZZ_TARGET` names it.
private let check = ProcessInfo.processInfo.environment["FUZZ_TARGET"].flatMap(FuzzCheck.init)

/// The entry point of libFuzzer for each input; a complaint ends the process, so that the input is kept.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let check else { fatalError("FUZZ_TARGET names none of \(FuzzCheck.allCases.map(\.rawValue))") }
  if let complaint = check.complaint(about: UnsafeRawBufferPointer(start: bytes, count: count)) {
    fatalError(complaint)
  }
  return 0
}
