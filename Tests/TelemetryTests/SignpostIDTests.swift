import Telemetry
import Testing

@Test("the ids that the system defines are three different ones")
func systemIDs() {
  #expect(Set([SignpostID.exclusive, .null, .invalid]).count == 3)
}
