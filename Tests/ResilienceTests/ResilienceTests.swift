import Resilience
import Testing

@Test("a backoff keeps what it is made of")
func backoffKeepsItsParts() {
  let backoff = Backoff(base: .seconds(30), cap: 10, maximum: .seconds(300))
  #expect(backoff.base == .seconds(30) && backoff.factor == 2 && backoff.jitter == 0)
}
