import Aggregation
import Testing

@Suite("How sure a percentile is")
struct QuantileBoundsTests {
  @Test("two estimates may be one where their bins meet, two exact figures never")
  func mayEqual() {
    let day = Quantile(value: 222, lower: 181, upper: 256)
    let hour = Quantile(exact: 207)
    #expect(day.mayEqual(hour) && hour.mayEqual(day))
    #expect(!day.mayEqual(Quantile(exact: 300)))
    #expect(!hour.mayEqual(hour))
  }

  @Test("a bin is wide where the digits of a table would show it")
  func wide() {
    #expect(Quantile(value: 222, lower: 181, upper: 256).isWide)
    #expect(!Quantile(value: 100, lower: 99.3, upper: 100.7).isWide)
    #expect(!Quantile(exact: 0).isWide)
  }
}
