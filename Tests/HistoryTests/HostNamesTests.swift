import History
import Testing

@Suite struct HostNamesTests {
  @Test(
    "the host of a file is its name without folder, ending, rotation and packing",
    arguments: [
      (["/f/web.jsonl"], ["web"]),
      (["/f/web-01.jsonl", "/f/web-02.jsonl"], ["web-01", "web-02"]),
      (
        ["/f/web.jsonl", "/f/web.jsonl.1", "/f/web.jsonl.2.gz", "/f/web.1.jsonl"],
        ["web", "web", "web", "web"]
      ),
      (["/f/web.jsonl.1"], ["web"]),
      (["/f/app.metrics.jsonl", "/f/db.log", "/f/x.ndjson"], ["app.metrics", "db", "x"]),
      (["10.0.0.1", "10.0.0.2"], ["10.0.0.1", "10.0.0.2"]),
      (["/a/metrics.jsonl", "/b/metrics.jsonl", "/b/other.jsonl"], ["a/metrics", "b/metrics", "other"]),
      (["/x/a/m.jsonl", "/y/a/m.jsonl"], ["x/a/m", "y/a/m"]),
      ([".jsonl", ""], [".jsonl", ""]),
      ([], []),
    ])
  func names(paths: [String], hosts: [String]) {
    #expect(HostNames.hosts(ofFiles: paths) == hosts)
  }
}
